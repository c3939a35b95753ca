{
    _Type *_M_pointer;
    size_t _M_length[_Extent == dynamic_extent ? 1 : 0];
    constexpr void _M_set_length(size_t n) { if constexpr (_Extent == dynamic_extent) _M_length[0] = n; }
public:
    using element_type = _Type;
    using value_type = remove_cv_t<_Type>;
    using size_type = size_t;
    using difference_type = ptrdiff_t;
    using pointer = _Type *;
    using const_pointer = const _Type *;
    using reference = _Type &;
    using const_reference = const _Type &;
    using iterator = _Type *;
    using reverse_iterator = std::reverse_iterator<_Type *>;
    static constexpr size_t extent = _Extent;
    constexpr span() noexcept : _M_pointer(nullptr) { _M_set_length(0); }
    constexpr span(_Type *p, size_t n) : _M_pointer(p) { _M_set_length(n); }
    template <class _It, class _End> requires is_pointer_v<_End>
    constexpr span(_It first, _End last) : _M_pointer(first) { _M_set_length(last - first); }
    template <class _It> requires (!is_pointer_v<_It> && !is_convertible_v<_It, _Type *>)
    constexpr span(_It first, size_t n) : _M_pointer(std::to_address(first)) { _M_set_length(n); }
    template <class _It, class _End> requires (!is_pointer_v<_End> && !is_convertible_v<_End, size_t>)
    constexpr span(_It first, _End last)
        : _M_pointer(std::to_address(first)) { _M_set_length(last - first); }
    template <class _Up, size_t _Np> requires is_convertible_v<_Up (*)[], _Type (*)[]>
    constexpr span(_Up (&a)[_Np]) noexcept : _M_pointer(a) { _M_set_length(_Np); }
    template <class _Up, size_t _Np> requires is_convertible_v<_Up (*)[], _Type (*)[]>
    constexpr span(array<_Up, _Np> &a) noexcept : _M_pointer(a.data()) { _M_set_length(_Np); }
    template <class _Up, size_t _Np> requires is_convertible_v<const _Up (*)[], _Type (*)[]>
    constexpr span(const array<_Up, _Np> &a) noexcept : _M_pointer(a.data()) { _M_set_length(_Np); }
    template <class _Up, size_t _Np>
    requires (is_convertible_v<_Up (*)[], _Type (*)[]> && (!is_same_v<_Up, _Type> || _Np != _Extent))
    constexpr span(const span<_Up, _Np> &s) noexcept : _M_pointer(s.data()) { _M_set_length(s.size()); }
    template <class _Range>
    requires (ranges::contiguous_range<_Range> && ranges::sized_range<_Range>
        && !is_array_v<remove_cvref_t<_Range>>
        && !requires { remove_cvref_t<_Range>::extent; }
        && !requires { tuple_size<remove_cvref_t<_Range>>::value; }
        && is_convertible_v<remove_reference_t<ranges::range_reference_t<_Range>> (*)[], _Type (*)[]>)
    constexpr span(_Range &&r) : _M_pointer(ranges::data(r)) { _M_set_length(ranges::size(r)); }
    constexpr span(const span &) noexcept = default;
    constexpr span &operator=(const span &) noexcept = default;
    constexpr size_t size() const noexcept {
        if constexpr (_Extent == dynamic_extent) return _M_length[0]; else return _Extent; }
    constexpr size_t size_bytes() const noexcept { return size() * sizeof(_Type); }
    constexpr bool empty() const noexcept { return size() == 0; }
    constexpr _Type *data() const noexcept { return _M_pointer; }
    constexpr _Type &operator[](size_t i) const { return _M_pointer[i]; }
    constexpr _Type &front() const { return _M_pointer[0]; }
    constexpr _Type &back() const { return _M_pointer[size() - 1]; }
    constexpr _Type *begin() const noexcept { return _M_pointer; }
    constexpr _Type *end() const noexcept { return _M_pointer + size(); }
    constexpr reverse_iterator rbegin() const noexcept { return reverse_iterator(end()); }
    constexpr reverse_iterator rend() const noexcept { return reverse_iterator(begin()); }
    constexpr span<_Type, dynamic_extent> first(size_t n) const {
        return span<_Type, dynamic_extent>(_M_pointer, n); }
    constexpr span<_Type, dynamic_extent> last(size_t n) const {
        return span<_Type, dynamic_extent>(_M_pointer + (size() - n), n); }
    template <size_t _Np> constexpr span<_Type, _Np> first() const {
        return span<_Type, _Np>(_M_pointer, _Np); }
    template <size_t _Np> constexpr span<_Type, _Np> last() const {
        return span<_Type, _Np>(_M_pointer + (size() - _Np), _Np); }
    constexpr span<_Type, dynamic_extent> subspan(size_t o, size_t n = dynamic_extent) const {
        return span<_Type, dynamic_extent>(_M_pointer + o, n == dynamic_extent ? size() - o : n); }
    template <size_t _Op, size_t _Np = dynamic_extent>
    constexpr auto subspan() const -> span<_Type,
        _Np != dynamic_extent ? _Np : _Extent != dynamic_extent ? _Extent - _Op : dynamic_extent> {
        return span<_Type,
            _Np != dynamic_extent ? _Np : _Extent != dynamic_extent ? _Extent - _Op : dynamic_extent>(
            _M_pointer + _Op, _Np == dynamic_extent ? size() - _Op : _Np); }
}
