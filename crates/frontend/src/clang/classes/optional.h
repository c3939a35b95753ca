{
    _Tp _M_value;
    bool _M_engaged;
    static_assert(__is_trivially_copyable(_Tp));
    template <class _Up>
    static constexpr bool _S_is_value = is_constructible_v<_Tp, _Up>
        && !is_same_v<decay_t<_Up>, optional> && !is_same_v<decay_t<_Up>, in_place_t>;
public:
    using value_type = _Tp;
    constexpr optional() noexcept : _M_value(), _M_engaged(false) { }
    constexpr optional(nullopt_t) noexcept : _M_value(), _M_engaged(false) { }
    template <class _Up = _Tp, enable_if_t<_S_is_value<_Up>, int> = 0>
    constexpr optional(_Up &&u) : _M_value(static_cast<_Up &&>(u)), _M_engaged(true) { }
    template <class... _Args> constexpr explicit optional(in_place_t, _Args &&...args)
        : _M_value(static_cast<_Args &&>(args)...), _M_engaged(true) { }
    template <class _Up, enable_if_t<!is_same_v<_Up, _Tp> && is_constructible_v<_Tp, const _Up &>, int> = 0>
    constexpr optional(const optional<_Up> &o) : _M_value(), _M_engaged(o.has_value()) {
        if (_M_engaged) _M_value = static_cast<_Tp>(*o); }
    constexpr optional(const optional &) = default;
    constexpr optional &operator=(const optional &) = default;
    constexpr optional &operator=(nullopt_t) noexcept { _M_engaged = false; return *this; }
    template <class _Up = _Tp, enable_if_t<_S_is_value<_Up>, int> = 0>
    constexpr optional &operator=(_Up &&u) {
        _M_value = static_cast<_Up &&>(u); _M_engaged = true; return *this; }
    template <class... _Args> constexpr _Tp &emplace(_Args &&...args) {
        _M_value = _Tp(static_cast<_Args &&>(args)...); _M_engaged = true; return _M_value; }
    constexpr void reset() noexcept { _M_engaged = false; }
    constexpr void swap(optional &o) { optional old = o; o = *this; *this = old; }
    constexpr bool has_value() const noexcept { return _M_engaged; }
    constexpr explicit operator bool() const noexcept { return _M_engaged; }
    constexpr _Tp &operator*() noexcept { return _M_value; }
    constexpr const _Tp &operator*() const noexcept { return _M_value; }
    constexpr _Tp *operator->() noexcept { return &_M_value; }
    constexpr const _Tp *operator->() const noexcept { return &_M_value; }
    constexpr _Tp &value() { if (!_M_engaged) __builtin_trap(); return _M_value; }
    constexpr const _Tp &value() const { if (!_M_engaged) __builtin_trap(); return _M_value; }
    template <class _Up> constexpr _Tp value_or(_Up &&u) const {
        return _M_engaged ? _M_value : static_cast<_Tp>(static_cast<_Up &&>(u)); }
    friend constexpr bool operator==(const optional &a, const optional &b) {
        return a._M_engaged == b._M_engaged && (!a._M_engaged || a._M_value == b._M_value); }
    friend constexpr bool operator!=(const optional &a, const optional &b) { return !(a == b); }
    friend constexpr bool operator==(const optional &a, nullopt_t) noexcept { return !a._M_engaged; }
    friend constexpr bool operator!=(const optional &a, nullopt_t) noexcept { return a._M_engaged; }
    friend constexpr bool operator==(const optional &a, const _Tp &b) {
        return a._M_engaged && a._M_value == b; }
    friend constexpr bool operator!=(const optional &a, const _Tp &b) { return !(a == b); }
    friend constexpr bool operator<(const optional &a, const optional &b) {
        return b._M_engaged && (!a._M_engaged || a._M_value < b._M_value); }
    friend constexpr bool operator<(const optional &a, const _Tp &b) {
        return !a._M_engaged || a._M_value < b; }
}
