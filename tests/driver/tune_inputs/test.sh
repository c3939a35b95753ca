# What is found with one input, used with another one; energy in the place of time.
export ACC_DEVICE_TYPE=opencl
"$ACCL" tune program.c -O1 -o program --evaluations 3 --train 1000 -- 100000 >said
contains said "With these arguments the program as it was takes "
contains said "tuned with \`1000\` (ProfT) "
contains said "tuned with them (UAT) "
contains said "the training input costs "
contains program.tune.jsonl '"kernel":"main:10@16"'
contains program.train.jsonl '"kernel":"main:10@9"'
./program 100000 >out
contains out 1000000.0

# An input with which the program fails.
expect 1 "$ACCL" tune program.c -O1 -o program --evaluations 3 --train 13 -- 100000 2>said
contains said "error[ACCL0020]: the program without tuning: the program failed: exit code 1"

# Energy, of a library that takes NVML's place.
cc -shared -fPIC nvml.c -o libnvidia-ml.so.1
export LD_LIBRARY_PATH=$PWD
"$ACCL" tune program.c -O1 -o program --evaluations 2 --repeats 1 --objective energy --results energies --t4 t4 -- 100000 >said 2>notes
contains said "  program: "
contains said "2 measured"
contains notes "note: the energy is that of an NVIDIA device; the kernels ran on"
contains t4/program.t4.json '"unit": "mJ"'
python3 - <<'END'
import json
found = [r for r in json.load(open("t4/program.t4.json"))["results"] if r["invalidity"] == "correct"]
energies = [m["value"] for r in found for m in r["measurements"] if m["name"] == "energy"]
assert energies and all(100 < e < 1e6 for e in energies), energies
END
CUDA_VISIBLE_DEVICES=GPU-1 expect 1 "$ACCL" tune program.c -o program --objective energy 2>said
contains said "error[ACCL0022]: energy cannot be measured: nvmlDeviceGetHandle gave error 6"
cc -shared -fPIC -DOLD nvml.c -o libnvidia-ml.so.1
expect 1 "$ACCL" tune program.c -o program --objective energy 2>said
contains said "error[ACCL0022]: energy cannot be measured: the device counts no energy"
cc -shared -fPIC -x c /dev/null -o libnvidia-ml.so.1
expect 1 "$ACCL" tune program.c -o program --objective energy 2>said
contains said "energy cannot be measured: the library is too old: it has no nvmlInit"
