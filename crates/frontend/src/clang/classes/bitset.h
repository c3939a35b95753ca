{
    typedef unsigned long _Word;
    _Word _M_words[(_Nb + 63) / 64];
    static constexpr size_t _S_count = (_Nb + 63) / 64;
    constexpr void _M_clean() { if constexpr (_Nb % 64 != 0) _M_words[_Nb / 64] &= (1ul << _Nb % 64) - 1; }
public:
    class reference {
        _Word *_M_word;
        size_t _M_bit;
    public:
        constexpr reference(_Word *word, size_t bit) : _M_word(word), _M_bit(bit) { }
        constexpr reference(const reference &) = default;
        constexpr reference &operator=(bool x) noexcept {
            if (x) *_M_word |= 1ul << _M_bit; else *_M_word &= ~(1ul << _M_bit); return *this; }
        constexpr reference &operator=(const reference &r) noexcept {
            if (*r._M_word >> r._M_bit & 1) *_M_word |= 1ul << _M_bit; else *_M_word &= ~(1ul << _M_bit);
            return *this; }
        constexpr bool operator~() const noexcept { return (*_M_word >> _M_bit & 1) == 0; }
        constexpr operator bool() const noexcept { return (*_M_word >> _M_bit & 1) != 0; }
        constexpr reference &flip() noexcept { *_M_word ^= 1ul << _M_bit; return *this; }
    };
    constexpr bitset() noexcept : _M_words() { }
    constexpr bitset(unsigned long long value) noexcept : _M_words() { _M_words[0] = value; _M_clean(); }
    template <class _C, class _T, class _A>
    explicit bitset(const std::basic_string<_C, _T, _A> &s, size_t at = 0);
    template <class _C, class _T, class _A>
    bitset(const std::basic_string<_C, _T, _A> &s, size_t at, size_t n);
    template <class _C, class _T, class _A>
    bitset(const std::basic_string<_C, _T, _A> &s, size_t at, size_t n, _C zero, _C one = _C('1'));
    explicit bitset(const char *s, size_t n = -1, char zero = '0', char one = '1');
    template <class _C, class _T, class _A> std::basic_string<_C, _T, _A> to_string() const;
    std::string to_string(char zero = '0', char one = '1') const;
    constexpr bool operator[](size_t i) const { return (_M_words[i / 64] >> i % 64 & 1) != 0; }
    constexpr reference operator[](size_t i) { return reference(_M_words + i / 64, i % 64); }
    constexpr bool test(size_t i) const { if (i >= _Nb) __builtin_trap(); return (_M_words[i / 64] >> i % 64 & 1) != 0; }
    constexpr bitset &set() noexcept {
        for (size_t k = 0; k < _S_count; k++) _M_words[k] = ~0ul; _M_clean(); return *this; }
    constexpr bitset &set(size_t i, bool x = true) {
        if (i >= _Nb) __builtin_trap();
        if (x) _M_words[i / 64] |= 1ul << i % 64; else _M_words[i / 64] &= ~(1ul << i % 64); return *this; }
    constexpr bitset &reset() noexcept {
        for (size_t k = 0; k < _S_count; k++) _M_words[k] = 0; return *this; }
    constexpr bitset &reset(size_t i) { return set(i, false); }
    constexpr bitset &flip() noexcept {
        for (size_t k = 0; k < _S_count; k++) _M_words[k] = ~_M_words[k]; _M_clean(); return *this; }
    constexpr bitset &flip(size_t i) {
        if (i >= _Nb) __builtin_trap(); _M_words[i / 64] ^= 1ul << i % 64; return *this; }
    constexpr size_t size() const noexcept { return _Nb; }
    constexpr size_t count() const noexcept {
        size_t n = 0; for (size_t k = 0; k < _S_count; k++) n += __builtin_popcountl(_M_words[k]); return n; }
    constexpr bool any() const noexcept {
        _Word all = 0; for (size_t k = 0; k < _S_count; k++) all |= _M_words[k]; return all != 0; }
    constexpr bool none() const noexcept { return !any(); }
    constexpr bool all() const noexcept { return count() == _Nb; }
    constexpr unsigned long to_ulong() const {
        for (size_t k = 1; k < _S_count; k++) if (_M_words[k]) __builtin_trap(); return _M_words[0]; }
    constexpr unsigned long long to_ullong() const { return to_ulong(); }
    constexpr bitset &operator&=(const bitset &b) noexcept {
        for (size_t k = 0; k < _S_count; k++) _M_words[k] &= b._M_words[k]; return *this; }
    constexpr bitset &operator|=(const bitset &b) noexcept {
        for (size_t k = 0; k < _S_count; k++) _M_words[k] |= b._M_words[k]; return *this; }
    constexpr bitset &operator^=(const bitset &b) noexcept {
        for (size_t k = 0; k < _S_count; k++) _M_words[k] ^= b._M_words[k]; return *this; }
    constexpr bitset &operator<<=(size_t n) noexcept {
        for (size_t k = _S_count; k-- > 0;) {
            _Word w = k >= n / 64 && n < _Nb ? _M_words[k - n / 64] << n % 64 : 0;
            if (n % 64 != 0 && n < _Nb && k > n / 64) w |= _M_words[k - n / 64 - 1] >> (64 - n % 64);
            _M_words[k] = w; }
        _M_clean(); return *this; }
    constexpr bitset &operator>>=(size_t n) noexcept {
        for (size_t k = 0; k < _S_count; k++) {
            size_t from = k + n / 64;
            _Word w = n < _Nb && from < _S_count ? _M_words[from] >> n % 64 : 0;
            if (n % 64 != 0 && n < _Nb && from + 1 < _S_count) w |= _M_words[from + 1] << (64 - n % 64);
            _M_words[k] = w; }
        return *this; }
    constexpr bitset operator<<(size_t n) const noexcept { bitset b = *this; b <<= n; return b; }
    constexpr bitset operator>>(size_t n) const noexcept { bitset b = *this; b >>= n; return b; }
    constexpr bitset operator~() const noexcept { bitset b = *this; b.flip(); return b; }
    constexpr bool operator==(const bitset &b) const noexcept {
        _Word differ = 0; for (size_t k = 0; k < _S_count; k++) differ |= _M_words[k] ^ b._M_words[k];
        return differ == 0; }
    constexpr bool operator!=(const bitset &b) const noexcept { return !(*this == b); }
    friend constexpr bitset operator&(const bitset &a, const bitset &b) noexcept { bitset c = a; c &= b; return c; }
    friend constexpr bitset operator|(const bitset &a, const bitset &b) noexcept { bitset c = a; c |= b; return c; }
    friend constexpr bitset operator^(const bitset &a, const bitset &b) noexcept { bitset c = a; c ^= b; return c; }
}
