static inline int accl_device_isdigit(int c) { return c >= '0' && c <= '9'; }
static inline int accl_device_isupper(int c) { return c >= 'A' && c <= 'Z'; }
static inline int accl_device_islower(int c) { return c >= 'a' && c <= 'z'; }
static inline int accl_device_isalpha(int c) { return accl_device_isupper(c) || accl_device_islower(c); }
static inline int accl_device_isalnum(int c) { return accl_device_isalpha(c) || accl_device_isdigit(c); }
static inline int accl_device_isxdigit(int c) { return accl_device_isdigit(c) || (c >= 'a' && c <= 'f') || (c >= 'A' && c <= 'F'); }
static inline int accl_device_isblank(int c) { return c == ' ' || c == '\t'; }
static inline int accl_device_isspace(int c) { return c == ' ' || (c >= '\t' && c <= '\r'); }
static inline int accl_device_iscntrl(int c) { return (c >= 0 && c < ' ') || c == 127; }
static inline int accl_device_isprint(int c) { return c >= ' ' && c < 127; }
static inline int accl_device_isgraph(int c) { return c > ' ' && c < 127; }
static inline int accl_device_ispunct(int c) { return accl_device_isgraph(c) && !accl_device_isalnum(c); }
static inline int accl_device_toupper(int c) { return accl_device_islower(c) ? c - 'a' + 'A' : c; }
static inline int accl_device_tolower(int c) { return accl_device_isupper(c) ? c - 'A' + 'a' : c; }
static inline int accl_device_character_class(int c) { return (accl_device_isupper(c) ? 0x100 : 0) | (accl_device_islower(c) ? 0x200 : 0) | (accl_device_isalpha(c) ? 0x400 : 0) | (accl_device_isdigit(c) ? 0x800 : 0) | (accl_device_isxdigit(c) ? 0x1000 : 0) | (accl_device_isspace(c) ? 0x2000 : 0) | (accl_device_isprint(c) ? 0x4000 : 0) | (accl_device_isgraph(c) ? 0x8000 : 0) | (accl_device_isblank(c) ? 1 : 0) | (accl_device_iscntrl(c) ? 2 : 0) | (accl_device_ispunct(c) ? 4 : 0) | (accl_device_isalnum(c) ? 8 : 0); }
static inline int accl_device_memcmp(const void *a, const void *b, unsigned long n) { const unsigned char *x = (const unsigned char *)a, *y = (const unsigned char *)b; for (unsigned long i = 0; i < n; i++) if (x[i] != y[i]) return x[i] < y[i] ? -1 : 1; return 0; }
static inline int accl_device_bcmp(const void *a, const void *b, unsigned long n) { return accl_device_memcmp(a, b, n); }
static inline void *accl_device_memchr(const void *s, int c, unsigned long n) { unsigned char *x = (unsigned char *)s; for (unsigned long i = 0; i < n; i++) if (x[i] == (unsigned char)c) return x + i; return 0; }
static inline unsigned long accl_device_strnlen(const char *s, unsigned long n) { unsigned long i = 0; while (i < n && s[i]) i++; return i; }
static inline char *accl_device_strchr(const char *s, int c) { for (; *s != (char)c; s++) if (!*s) return 0; return (char *)s; }
static inline char *accl_device_strrchr(const char *s, int c) { const char *last = 0; for (;; s++) { if (*s == (char)c) last = s; if (!*s) return (char *)last; } }
static inline char *accl_device_strstr(const char *s, const char *part) { for (;; s++) { unsigned long i = 0; while (part[i] && s[i] == part[i]) i++; if (!part[i]) return (char *)s; if (!*s) return 0; } }
static inline unsigned long accl_device_strcspn(const char *s, const char *set) { unsigned long i = 0; for (; s[i]; i++) for (const char *p = set; *p; p++) if (*p == s[i]) return i; return i; }
static inline unsigned long accl_device_strspn(const char *s, const char *set) { for (unsigned long i = 0;; i++) { const char *p = set; while (*p && *p != s[i]) p++; if (!*p) return i; } }
static inline char *accl_device_strcpy(char *to, const char *from) { unsigned long i = 0; for (; from[i]; i++) to[i] = from[i]; to[i] = 0; return to; }
static inline char *accl_device_strncpy(char *to, const char *from, unsigned long n) { unsigned long i = 0; for (; i < n && from[i]; i++) to[i] = from[i]; for (; i < n; i++) to[i] = 0; return to; }
static inline char *accl_device_strcat(char *to, const char *from) { unsigned long n = 0, i = 0; while (to[n]) n++; for (; from[i]; i++) to[n + i] = from[i]; to[n + i] = 0; return to; }
static inline char *accl_device_strncat(char *to, const char *from, unsigned long most) { unsigned long n = 0, i = 0; while (to[n]) n++; for (; i < most && from[i]; i++) to[n + i] = from[i]; to[n + i] = 0; return to; }
static inline int accl_device_strncasecmp(const char *a, const char *b, unsigned long n) { for (unsigned long i = 0; i < n; i++) { int x = accl_device_tolower((unsigned char)a[i]), y = accl_device_tolower((unsigned char)b[i]); if (x != y) return x - y; if (!x) break; } return 0; }
static inline int accl_device_strcasecmp(const char *a, const char *b) { return accl_device_strncasecmp(a, b, ~0ul); }
static inline long accl_device_atol(const char *s) { long value = 0; while (accl_device_isspace(*s)) s++; int negative = *s == '-'; if (*s == '-' || *s == '+') s++; for (; accl_device_isdigit(*s); s++) value = 10 * value - (*s - '0'); return negative ? value : -value; }
static inline long long accl_device_atoll(const char *s) { return accl_device_atol(s); }
static inline int accl_device_atoi(const char *s) { return (int)accl_device_atol(s); }
static inline int accl_device_rand_r(unsigned *seed) { unsigned next = *seed * 1103515245u + 12345u, result = next / 65536 % 2048; next = next * 1103515245u + 12345u; result = result << 10 ^ next / 65536 % 1024; next = next * 1103515245u + 12345u; result = result << 10 ^ next / 65536 % 1024; *seed = next; return (int)result; }
static inline unsigned long accl_device_next48(unsigned short *state) { unsigned long x = state[0] | (unsigned long)state[1] << 16 | (unsigned long)state[2] << 32; x = (x * 0x5deece66dul + 0xb) & 0xfffffffffffful; state[0] = (unsigned short)x; state[1] = (unsigned short)(x >> 16); state[2] = (unsigned short)(x >> 32); return x; }
static inline double accl_device_erand48(unsigned short *state) { return (double)accl_device_next48(state) / 281474976710656.0; }
static inline long accl_device_nrand48(unsigned short *state) { return (long)(accl_device_next48(state) >> 17); }
static inline long accl_device_jrand48(unsigned short *state) { return (long)(int)(accl_device_next48(state) >> 16); }
static inline int accl_device_add_overflow_i(int a, int b, int *sum) { int s = (int)((unsigned)a + (unsigned)b); *sum = s; return b < 0 ? s > a : s < a; }
static inline int accl_device_sub_overflow_i(int a, int b, int *difference) { int d = (int)((unsigned)a - (unsigned)b); *difference = d; return b < 0 ? d < a : d > a; }
static inline int accl_device_add_overflow_l(long a, long b, long *sum) { long s = (long)((unsigned long)a + (unsigned long)b); *sum = s; return b < 0 ? s > a : s < a; }
static inline int accl_device_sub_overflow_l(long a, long b, long *difference) { long d = (long)((unsigned long)a - (unsigned long)b); *difference = d; return b < 0 ? d < a : d > a; }
static inline int accl_device_add_overflow_u(unsigned a, unsigned b, unsigned *sum) { *sum = a + b; return a + b < a; }
static inline int accl_device_sub_overflow_u(unsigned a, unsigned b, unsigned *difference) { *difference = a - b; return a < b; }
static inline int accl_device_mul_overflow_u(unsigned a, unsigned b, unsigned *product) { unsigned p = a * b; *product = p; return a != 0 && p / a != b; }
static inline int accl_device_add_overflow_ul(unsigned long a, unsigned long b, unsigned long *sum) { *sum = a + b; return a + b < a; }
static inline int accl_device_sub_overflow_ul(unsigned long a, unsigned long b, unsigned long *difference) { *difference = a - b; return a < b; }
static inline int accl_device_mul_overflow_ul(unsigned long a, unsigned long b, unsigned long *product) { unsigned long p = a * b; *product = p; return a != 0 && p / a != b; }
static inline int accl_device_mul_overflow_i(int a, int b, int *product) { long p = (long)a * b; *product = (int)p; return p != (int)p; }
static inline int accl_device_mul_overflow_l(long a, long b, long *product) { long p = (long)((unsigned long)a * (unsigned long)b); *product = p; return a != 0 && ((a == -1 && b < 0 && p == b) || p / a != b); }
static inline double accl_device_hankel(int n, double x, int second) { double a = 1, p = 1, q = 0, least = 1; for (int k = 1; k < 60; k++) { a *= (4.0 * n * n - (2.0 * k - 1) * (2.0 * k - 1)) / (8.0 * k * x); double size = a < 0 ? -a : a; if (size > least) break; least = size; if (k & 1) q += k & 2 ? -a : a; else p += k & 2 ? -a : a; } double s = __builtin_sin(x), c = __builtin_cos(x), u = n ? s - c : c + s, v = n ? -s - c : s - c; return (second ? p * v + q * u : p * u - q * v) / __builtin_sqrt(3.14159265358979323846 * x); }
static inline double accl_device_bessel(int n, double x, int second) { if (x >= 25 && n < 2) return accl_device_hankel(n, x, second); int top = (int)x + 40; if (top < 2 * n + 20) top = 2 * n + 20; top += top & 1; double above = 0, at = 1e-300, sum = 0, found = 0, zeroth = 0, series = 0; for (int k = top; k >= 0; k--) { if (k == n) found = at; if (k == 0) zeroth = at; else if (!(k & 1)) sum += 2 * at; if (second && k > n && !((k - n) & 1)) { int m = (k - n) / 2; double term = at * k / ((double)m * (n + m)); series += m & 1 ? -term : term; } if (k > 0) { double below = 2 * k / x * at - above; above = at; at = below; if (at > 1e200 || at < -1e200) { at *= 1e-200; above *= 1e-200; sum *= 1e-200; found *= 1e-200; series *= 1e-200; } } } double whole = zeroth + sum; found /= whole; zeroth /= whole; if (!second) return found; return 0.63661977236758134308 * ((__builtin_log(x / 2) + 0.57721566490153286061 - n) * found - series / whole - (n ? zeroth / x : 0)); }
static inline double accl_device_j0(double x) { x = x < 0 ? -x : x; return x < 1e-8 ? 1 : x > 1e300 ? 0 : accl_device_bessel(0, x, 0); }
static inline double accl_device_j1(double x) { double y = x < 0 ? -x : x, j = y < 1e-8 ? y / 2 : y > 1e300 ? 0 : accl_device_bessel(1, y, 0); return x < 0 ? -j : j; }
static inline double accl_device_y0(double x) { return x < 0 ? __builtin_nan("") : x == 0 ? -__builtin_inf() : x > 1e300 ? 0 : x < 1e-8 ? 0.63661977236758134308 * (__builtin_log(x / 2) + 0.57721566490153286061) : accl_device_bessel(0, x, 1); }
static inline double accl_device_y1(double x) { return x < 0 ? __builtin_nan("") : x == 0 ? -__builtin_inf() : x > 1e300 ? 0 : x < 1e-8 ? -0.63661977236758134308 / x : accl_device_bessel(1, x, 1); }
static inline double accl_device_jn(int n, double x) { int odd = n & 1; double y = x < 0 ? -x : x; int negative = odd && ((n < 0) != (x < 0)); n = n < 0 ? -n : n; double j; if (n == 0) j = accl_device_j0(y); else if (n == 1) j = accl_device_j1(y); else if (y < 1e-8) j = 0; else if (y > n && y >= 25) { double before = accl_device_j0(y); j = accl_device_j1(y); for (int k = 1; k < n; k++) { double next = 2 * k / y * j - before; before = j; j = next; } } else j = accl_device_bessel(n, y, 0); return negative ? -j : j; }
static inline double accl_device_yn(int n, double x) { int negative = n < 0 && (n & 1); n = n < 0 ? -n : n; double before = accl_device_y0(x), y = n == 0 ? before : accl_device_y1(x); if (x > 0) for (int k = 1; k < n; k++) { double next = 2 * k / x * y - before; before = y; y = next; } return negative ? -y : y; }
static inline float accl_device_j0f(float x) { return (float)accl_device_j0(x); }
static inline float accl_device_j1f(float x) { return (float)accl_device_j1(x); }
static inline float accl_device_y0f(float x) { return (float)accl_device_y0(x); }
static inline float accl_device_y1f(float x) { return (float)accl_device_y1(x); }
