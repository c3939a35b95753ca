# What stops a loop: both references, each with its line, in the source's names.
"$ACCL" cc -Minfo=accel -c why.c 2>minfo
sed 's/^ *//' minfo >flat
follows() { grep -A1 -F -- "$1" flat | grep -qF -- "$2" || { cat minfo >&2; fail "'$2' does not follow '$1'"; }; }
contains minfo "9, Loop carried dependence of v-> prevents parallelization"
follows "line 10: v[i-1] is read here" "line 10: v[i] is written here"
follows "line 17: v[i] is read here" "line 17: w[i] is written here"
follows "line 13: p[i-1].x is read here" "line 13: p[i].x is written here"
contains minfo "line 15: index_of[index_of[i]] is written here, by several iterations perhaps"
contains minfo "Generating reduction(+:s)"

# The same under the source, and as data.
"$ACCL" explain why.c >explained
grep -A1 -F "line 10: v[i-1] is read here" explained | grep -q "line 10: v\[i\] is written here" || fail "accl explain"
"$ACCL" cc --remarks=json -c why.c 2>json >>json
grep -q '"label":"v\[i\] is read here"' json || fail "--remarks=json"

# A single subscript is one element, where courses mean as many.
"$ACCL" cc -c one.c 2>said
contains said 'one.c:7:25'
contains said 'for the first n elements write a[0:n]'

# A region behind a template, whose instances are written before it, has its own line.
"$ACCL" c++ -fopenmpc -Minfo=accel -c behind_template.cc 2>minfo
contains minfo "16, Loops of the parallel region run on the device"
