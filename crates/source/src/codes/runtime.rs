//! Codes of the runtime; see the parent module for how to add one.

codes! {
    NOT_PRESENT = "ACCL0801", "data is not present on the device",
        "A present clause, default(present), an update or host_data names data that no data directive has put on the device, or that an exit data directive or the end of a data region has removed. The message names the variable, the directive, where it was removed or the nearest data that is present, and a clause that helps. Where another pointer was mapped than the one used here, the addresses differ: host= shows them.";
    PARTLY_PRESENT = "ACCL0802", "data is only partially present",
        "The section of a data clause overlaps what is present, but reaches beyond it. Data on the device cannot grow (OpenACC 3.3 section 2.7.3): let the first directive that maps the array name all of it.";
    NO_DEVICE = "ACCL0803", "no such device",
        "ACC_DEVICE_TYPE, ACC_DEVICE_NUM, OMP_DEFAULT_DEVICE, a clause or a routine of the API asks for a device that this machine does not have, or that its driver cannot use; or OMP_TARGET_OFFLOAD=mandatory asks for one, and there is only the cpu. `accl devices` lists the devices, and why one cannot be used.";
    BAD_ENVIRONMENT = "ACCL0804", "environment variable cannot be understood",
        "The variable has a value that the runtime does not know. The message lists those it knows.";
    NO_MEMORY = "ACCL0805", "no memory left on the device",
        "The device has no memory for the data of the clause. Free data earlier with exit data, map sections in place of whole arrays, or work in parts.";
    OTHER_FORMAT = "ACCL0806", "data is held in another format",
        "The array is on the device compressed (an extension), and the construct was compiled for plain data or another format of compression, or the other way round. The message names both directives. Give the compute construct the clause compression(a), with the modifiers of the data clause where it has any.";
    BAD_RANGE = "ACCL0807", "range of a compressed array cannot be used",
        "The range of a compressed array must be of finite numbers, the smaller first. An array that kernels write needs one from the data clause, a[start:length:min:max], since what they write may lie outside of what was copied in.";
    COMPRESSED_ADDRESS = "ACCL0808", "a compressed array has no address",
        "host_data and acc_deviceptr give device addresses of plain elements. A compressed array (an extension) has none: use it in compute constructs that name it in a compression clause, or hold it plain.";
    COMPRESSED_INDIRECT = "ACCL0810", "a compressed array is reached through a pointer in device memory",
        "The kernel loads a pointer from device memory (t[k].x[i]), where it was attached to a compressed array (an extension). The pointer tells neither the format nor the numbers that decoding needs, so the launch is refused. The message names the clause that compressed the array. An array that the kernel names, a variable or a member of one structure (s.x, this->x), is an argument of its own and is decoded: take the pointer on the host first, float *x = t[k].x, and use compression(x); or hold the array plain.";
    NO_NUMBER = "ACCL0809", "what is no number cannot be compressed",
        "Programs compiled with --check, or run with ACCL_CHECK=1, refuse NaN in what is sent to a compressed array (an extension): its elements stand for numbers of a range, or of a block, and NaN counts as 0 otherwise. The message names the variable, the element and the clause. scheme(half) and scheme(bfloat) hold NaN.";
    SERIAL_KERNEL = "ACCL0811", "a serial kernel took long",
        "A loop of a kernels construct was run by one thread of the device, for more than 10 ms in all launches together. The message says what prevents its iterations from running side by side: a dependence, or that arrays of the launches overlap, or may. Where they do not: declare the pointers restrict, or write independent on the loop. Where it is not known what a pointer points to (deviceptr, present without a section), give its section in a data clause. ACCL_TIME=1 marks such kernels in its table; ACCL_WARNINGS=0 turns the warning off.";
    ON_HOST = "ACCL0812", "a construct that the host would have to run, and cannot",
        "The construct could not be translated for devices (the compiler's warning ACCL0249 says why), so the host runs it. But OMP_TARGET_OFFLOAD=mandatory forbids that; or a clause gives the construct an address of device memory (deviceptr, is_device_ptr, has_device_addr), which the host cannot follow. Change what the warning names, or map the data in place of the address.";
    APART = "ACCL0813", "sections of one variable lie apart on the device",
        "A kernel uses several sections of one variable, or nothing says in which one it stays, and it reaches all of them from one address. Sections that one directive makes present lie on the device as far apart as on the host; sections that different directives made are moved into one place before such a kernel. Here they cannot be moved: the program has asked for the address of one (host_data, acc_deviceptr), pointers in device memory lead there, it is compressed, or they are too far apart. Let one directive make them present, or name one section that covers them. Where a construct stays in one of them, a clause of its own can say so: present(a[first:number]).";
    SHARED_MEMORY = "ACCL0820", "the program requires memory that host and device share",
        "A file has requires unified_shared_memory, and the device has a memory of its own, so it is no device for this program: omp_get_num_devices() is 0, and the host runs the target constructs. OMP_TARGET_OFFLOAD=mandatory makes this an error. The cpu shares the host's memory (ACC_DEVICE_TYPE=host); for others map what constructs use, and remove the requirement.";
}
