/*
 * One clock of the C or C++ library, CLOCK, as programs call it that were linked with --wrap=CLOCK.
 *
 * It waits for the synchronous constructs under way, if there are any, and goes on to the library's function. It is
 * an object of its own for each clock, so that a program takes only those it calls, and it asks for the runtime
 * weakly, so that a program without directives takes nothing of that. Every register that may hold an argument is
 * kept: a program may have a function of its own by this name.
 *
 * accl_sync_work is `SyncWork` of src/clock.rs: the operations issued, those awaited, and what waits for the others.
 */
#define JOINED(a, b) a##b
#define NAME(a, b) JOINED(a, b)
#define WRAPPED NAME(__wrap_, CLOCK)
#define REAL NAME(__real_, CLOCK)

    .text
    .globl  WRAPPED
    .hidden WRAPPED
    .type   WRAPPED, @function
    .weak   accl_sync_work
    .p2align 4
WRAPPED:
    .cfi_startproc
    movq    accl_sync_work@GOTPCREL(%rip), %r11
    testq   %r11, %r11
    jz      1f
    movq    (%r11), %r10
    cmpq    8(%r11), %r10
    jne     2f
1:
    jmp     REAL@PLT
2:
    pushq   %rax
    pushq   %rdi
    pushq   %rsi
    pushq   %rdx
    pushq   %rcx
    pushq   %r8
    pushq   %r9
    subq    $128, %rsp
    .cfi_adjust_cfa_offset 184
    movaps  %xmm0, (%rsp)
    movaps  %xmm1, 16(%rsp)
    movaps  %xmm2, 32(%rsp)
    movaps  %xmm3, 48(%rsp)
    movaps  %xmm4, 64(%rsp)
    movaps  %xmm5, 80(%rsp)
    movaps  %xmm6, 96(%rsp)
    movaps  %xmm7, 112(%rsp)
    call    *16(%r11)
    movaps  (%rsp), %xmm0
    movaps  16(%rsp), %xmm1
    movaps  32(%rsp), %xmm2
    movaps  48(%rsp), %xmm3
    movaps  64(%rsp), %xmm4
    movaps  80(%rsp), %xmm5
    movaps  96(%rsp), %xmm6
    movaps  112(%rsp), %xmm7
    addq    $128, %rsp
    popq    %r9
    popq    %r8
    popq    %rcx
    popq    %rdx
    popq    %rsi
    popq    %rdi
    popq    %rax
    .cfi_adjust_cfa_offset -184
    jmp     REAL@PLT
    .cfi_endproc
    .size   WRAPPED, . - WRAPPED

    .section .note.GNU-stack, "", @progbits
