/* Input and check of BACKPROP. */
BPNN *net;

static float *alloc_1d(int n) { return (float *)bench_alloc(n, sizeof(float)); }

static float **alloc_2d(int m, int n)
{
    float **rows = (float **)bench_alloc(m, sizeof(float *));
    for (int i = 0; i < m; i++)
        rows[i] = alloc_1d(n);
    return rows;
}

static BPNN *create(int n_in, int n_hidden, int n_out)
{
    BPNN *made = (BPNN *)bench_alloc(1, sizeof *made);
    made->input_n = n_in;
    made->hidden_n = n_hidden;
    made->output_n = n_out;
    made->input_units = alloc_1d(n_in + 1);
    made->hidden_units = alloc_1d(n_hidden + 1);
    made->output_units = alloc_1d(n_out + 1);
    made->hidden_delta = alloc_1d(n_hidden + 1);
    made->output_delta = alloc_1d(n_out + 1);
    made->target = alloc_1d(n_out + 1);
    made->input_weights = alloc_2d(n_in + 1, n_hidden + 1);
    made->hidden_weights = alloc_2d(n_hidden + 1, n_out + 1);
    made->input_prev_weights = alloc_2d(n_in + 1, n_hidden + 1);
    made->hidden_prev_weights = alloc_2d(n_hidden + 1, n_out + 1);
    return made;
}

static void fill(BPNN *net)
{
    for (int i = 0; i <= net->input_n; i++) {
        net->input_units[i] = (float)noise(i, 1);
        for (int j = 0; j <= net->hidden_n; j++) {
            net->input_weights[i][j] = 0.001f * (float)noise(i * 17 + j, 2);
            net->input_prev_weights[i][j] = 0;
        }
    }
    for (int i = 0; i <= net->hidden_n; i++)
        for (int j = 0; j <= net->output_n; j++) {
            net->hidden_weights[i][j] = (float)noise(i * 3 + j, 3);
            net->hidden_prev_weights[i][j] = 0;
        }
    net->target[1] = 0.1f;
}

LINKAGE program_facts setup(int argc, char **argv)
{
    program_facts facts = {"openmpc_backprop", "", bench_arg(argc, argv, 2, 1), 1e-4};
    net = create(bench_arg(argc, argv, 1, 1024), 16, 1);
    snprintf(facts.size, sizeof facts.size, "%d", net->input_n);
    return facts;
}

LINKAGE void input(void) { fill(net); }

LINKAGE double digest(void)
{
    double sum = net->hidden_units[1];
    for (int i = 0; i <= net->input_n; i++)
        sum += net->input_weights[i][1];
    return sum;
}

static float squash(float x) { return (float)(1.0 / (1.0 + exp(-x))); }

static void serial_forward(float *l1, float *l2, float **conn, int n1, int n2)
{
    l1[0] = 1.0f;
    for (int j = 1; j <= n2; j++) {
        float sum = 0;
        for (int k = 0; k <= n1; k++)
            sum += conn[k][j] * l1[k];
        l2[j] = squash(sum);
    }
}

static void serial_adjust(float *delta, int ndelta, float *ly, int nly, float **w, float **oldw)
{
    ly[0] = 1.0f;
    for (int j = 1; j <= ndelta; j++)
        for (int k = 0; k <= nly; k++) {
            float new_dw = ETA * delta[j] * ly[k] + MOMENTUM * oldw[k][j];
            w[k][j] += new_dw;
            oldw[k][j] = new_dw;
        }
}

LINKAGE double check(void)
{
    double error = 0;
    BPNN *want = create(net->input_n, net->hidden_n, net->output_n);
    fill(want);
    serial_forward(want->input_units, want->hidden_units, want->input_weights, want->input_n, want->hidden_n);
    serial_forward(want->hidden_units, want->output_units, want->hidden_weights, want->hidden_n, want->output_n);
    float o = want->output_units[1];
    want->output_delta[1] = o * (1.0f - o) * (want->target[1] - o);
    for (int j = 1; j <= want->hidden_n; j++) {
        float h = want->hidden_units[j];
        want->hidden_delta[j] = h * (1.0f - h) * want->output_delta[1] * want->hidden_weights[j][1];
    }
    serial_adjust(want->output_delta, want->output_n, want->hidden_units, want->hidden_n, want->hidden_weights,
                  want->hidden_prev_weights);
    serial_adjust(want->hidden_delta, want->hidden_n, want->input_units, want->input_n, want->input_weights,
                  want->input_prev_weights);
    for (int i = 0; i <= net->input_n; i++)
        for (int j = 1; j <= net->hidden_n; j++)
            error = bench_worst(error, net->input_weights[i][j], want->input_weights[i][j], 1e-2);
    for (int i = 0; i <= net->hidden_n; i++)
        error = bench_worst(error, net->hidden_weights[i][1], want->hidden_weights[i][1], 1e-2);
    return error;
}
