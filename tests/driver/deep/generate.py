"""A program that is deep in one way: generate.py KIND LEVELS in|out."""

import sys


def statement(kind, n, x):
    def value():
        return {
            "sum": lambda: " + ".join([x] * n),
            "parentheses": lambda: "(" * n + x + ")" * n,
            "signs": lambda: "- " * n + x,
            "conditionals": lambda: " : ".join(f"{x} == {i} ? {i % 5}" for i in range(n)) + " : 1",
            "and": lambda: " && ".join(f"{x} != {i + 1000}" for i in range(n)),
            "right": lambda: "".join(f"({x} + " for i in range(n)) + "1" + ")" * n,
            "casts": lambda: "(int)(long)" * n + x,
            "calls": lambda: "same(" * n + x + ")" * n,
            "subscripts": lambda: "table[" * n + x + " & 7" + " & 7]" * n,
        }[kind]()

    return {
        "else_if": lambda: " else ".join(f"if ({x} == {i}) r = {i * 7 % 61};" for i in range(n)),
        "blocks": lambda: "{" * n + f"r = {x};" + "}" * n,
        "ifs": lambda: f"if ({x} > -1) " * n + "r = 1;",
        "loops": lambda: "".join(f"for (int k{i} = 0; k{i} < 1; k{i}++) " for i in range(n)) + f"r = {x};",
        "cases": lambda: f"switch ({x}) {{" + "".join(f"case {i}: " for i in range(n)) + "r = 3; }",
        "assignments": lambda: "r = " * n + x + ";",
        "initialiser": lambda: f"int t = {'{' * n}{x}{'}' * n}; r = t;",
    }.get(kind, lambda: f"r = {value()};")()


kind, levels, where = sys.argv[1], int(sys.argv[2]), sys.argv[3]
deep = statement(kind, levels, "i")
region = f"int r = 0; {deep} a[i] = r;" if where == "in" else "a[i] = f(i);"
print(f"""int table[8] = {{0, 1, 2, 3, 4, 5, 6, 7}};
static inline int same(int x) {{ return x; }}
int f(int i) {{ int r = 0; {deep} return r; }}
int main(void)
{{
    int a[16], b[16], bad = 0;
#pragma acc parallel loop copyout(a, b) copyin(table)
    for (int i = 0; i < 16; i++) {{ b[i] = 1; {region if where == "in" else "a[i] = i;"} }}
    for (int i = 0; i < 16; i++) bad += a[i] != {"f(i)" if where == "in" else "i"} || f(i) != f(b[i] * i);
    return bad;
}}""")
