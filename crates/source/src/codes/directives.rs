//! Codes of the directive parser; see the parent module for how to add one.

codes! {
    UNKNOWN_DIRECTIVE = "ACCL0101", "unknown directive",
        "The words behind the sentinel (`#pragma acc`) name no directive of OpenACC 3.3 or of its extensions here. The nearest name is suggested.";
    UNKNOWN_CLAUSE = "ACCL0102", "unknown clause",
        "The word names no clause of any directive. The nearest name is suggested. The clause is skipped and the rest of the directive is read.";
    CLAUSE_NOT_ALLOWED = "ACCL0103", "clause not allowed on this directive",
        "The clause exists, but the specification does not give it to this directive. The message lists the directives that accept it.";
    DUPLICATE_CLAUSE = "ACCL0104", "clause given more than once",
        "The clause may stand only once on a directive, or once for each device type. Keep one of the two.";
    MISSING_PAREN = "ACCL0105", "missing parenthesis",
        "A parenthesis that the clause needs is not there. Everything up to the end of the directive was taken as the clause's argument.";
    MISSING_ARGUMENT = "ACCL0106", "missing argument",
        "The clause needs an argument in parentheses.";
    UNEXPECTED_ARGUMENT = "ACCL0107", "unexpected argument",
        "The clause or directive takes no argument, or fewer than were given.";
    EMPTY_LIST = "ACCL0108", "empty list",
        "The parentheses hold no variable. A clause that names variables needs at least one; an entry between two commas may not be empty either.";
    BAD_EXPRESSION = "ACCL0109", "not an expression",
        "A C expression was expected. Clause arguments are ordinary C or C++ expressions without assignment, evaluated when the construct is met.";
    BAD_VARIABLE = "ACCL0110", "not a variable",
        "A variable name, a member such as s.p or p->q, an array element or an array section was expected.";
    BAD_SECTION = "ACCL0111", "malformed array section",
        "An array section is written a[start:length], with one pair of brackets per dimension. Both parts may be left out: a[:n] starts at 0, a[start:] runs to the end of an array of known extent. Note that the second number is a length and not the last index (OpenACC 3.3 section 2.7.1).";
    BAD_REDUCTION_OPERATOR = "ACCL0112", "invalid reduction operator",
        "The operators of a reduction in C and C++ are + * max min & | ^ && || (OpenACC 3.3 section 2.5.15).";
    BAD_DEFAULT = "ACCL0113", "invalid default",
        "The default clause takes none (every variable must be named in a data clause) or present (what is not named is on the device already) (OpenACC 3.3 section 2.5.16).";
    CONTRADICTORY_CLAUSES = "ACCL0114", "contradictory clauses",
        "Two clauses of the directive cannot both hold: a seq loop has no gang, worker or vector; of seq, independent and auto only one may stand (OpenACC 3.3 section 2.9).";
    BAD_COLLAPSE = "ACCL0115", "the count of loops must be a positive constant",
        "The number of nested loops a collapse clause joins must be known when the program is compiled, and be at least 1 (OpenACC 3.3 section 2.9.1).";
    VARIABLE_TWICE = "ACCL0116", "variable in two clauses",
        "The same variable stands in two clauses. Where they give it different storage, such as private and reduction, only one of them can be meant. Of several data clauses on one directive the first is taken for what happens at the entry and the last for the exit, as other compilers do, with a warning; two sections of one variable on a compute construct are taken as the section that covers both, where that is known.";
    ROUTINE_LEVEL = "ACCL0117", "a routine needs exactly one level",
        "A routine directive says with exactly one of gang, worker, vector and seq how much parallelism the function may use inside (OpenACC 3.3 section 2.15.1). Callers are mapped according to it, in other files too. Two levels are an error. Where none is given seq is taken, as other compilers do, with a warning: loops in the function are then sequential.";
    BAD_ATOMIC = "ACCL0118", "unknown kind of atomic",
        "An atomic construct is read, write, update or capture; with no word it is update (OpenACC 3.3 section 2.12).";
    MISSING_CLAUSE = "ACCL0119", "a required clause is missing",
        "The directive does nothing without at least one of the clauses the message lists.";
    BAD_MODIFIER = "ACCL0120", "invalid modifier",
        "The word before the colon is not a modifier that this clause knows, or not with this value.";
    BAD_TOKEN = "ACCL0121", "unexpected text",
        "Something stands where a clause was expected, or behind the end of a clause's argument. It is skipped.";
    TOO_COMPLEX = "ACCL0122", "expression too complex",
        "The expression nests deeper, or is longer, than the compiler reads. Compute it into a variable before the directive.";
    NOT_POSITIVE = "ACCL0123", "the value must be positive",
        "A number of gangs or workers, a vector length, a tile size or a gang dimension is a constant that makes no sense: they count from 1, and gang(dim:) goes up to 3.";
    FOREIGN = "ACCL0125", "directive or clause of another compiler",
        "The word behind `#pragma acc` is far from every directive of OpenACC, so it is taken for one that another compiler defines (OpenARC, PGI's model before OpenACC and others have some). It is ignored, with one warning for each name, as compilers do with pragmas they do not know; the program without it must mean the same. A word that is near to a directive of OpenACC, or is one of its clauses, is a mistake and an error: to ignore it would leave out what was meant. `num_gangs[0](n)` and other levels with a dimension in brackets are CAPS's: there the compiler chooses.";
    DEVICE_TYPE = "ACCL0126", "clauses for a type of device",
        "The clauses behind device_type hold for these types of device only: nvidia (CUDA), opencl and radeon (OpenCL), multicore and host (the CPU), and * for all that the directive does not name (OpenACC 3.3 section 2.4). Clauses for other types are ignored, with a warning. Data, conditions, reductions and private variables are the same on all devices: an error.";
    BAD_SCHEDULE_TEXT = "ACCL0127", "malformed schedule",
        "`#pragma accl schedule(...)` (an extension) stands before the directive of a loop and lists steps, each a name with parameters in parentheses: grid(j:x, i:y) block(64, 4) unroll_and_jam(i:4). The steps are listed in the reference pages, and by `accl explain --schedules` for each kernel.";
    BAD_FCW = "ACCL0124", "malformed fcw directive",
        "The form is `fcw TYPE(array[PIVOT:BEFORE:AFTER], ...)`, with one of the types FETCH_ONLY, CHANNEL_ONLY, FETCH_CHANNEL, CHANNEL_WB, FETCH_CHANNEL_WB, FETCH_WB, WB_ONLY, and one PIVOT:BEFORE:AFTER for each dimension of the array.";
}
