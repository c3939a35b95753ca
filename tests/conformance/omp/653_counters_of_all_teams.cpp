// A scalar without a clause is firstprivate on `target` alone: what the threads of several teams change atomically is one variable for all
// of them. And a string literal in a constructor, whose members have constructors.
// expect: launches=4 uploads<=7 downloads<=6
#include "../check.h"
#include <omp.h>

#define TEAMS 32
#define THREADS 64

struct Letter {
    int value;
    Letter(int k) { value = reinterpret_cast<const unsigned char *>("threads of teams")[k % 16]; }
};

struct Word {
    Letter first;
    int length;
    Word(int k) : first(k), length(k) {}
};

int main()
{
    int tickets = 0, last = -1, of_last = 0, place = 10;
    static int taken[TEAMS], places[TEAMS * 4], sums[TEAMS], letters[TEAMS];
    for (int k = 0; k < TEAMS; k++)
        taken[k] = sums[k] = 0;

    // The team that comes last knows it by the ticket.
#pragma omp target teams num_teams(TEAMS) thread_limit(THREADS) map(tofrom : taken, last, of_last)
    {
        bool is_last;
#pragma omp parallel num_threads(THREADS)
        {
            if (omp_get_thread_num() == 0) {
                int ticket;
#pragma omp atomic capture
                ticket = tickets++;
                taken[ticket]++;
                is_last = ticket == omp_get_num_teams() - 1;
            }
#pragma omp barrier
            if (is_last && omp_get_thread_num() == 1) {
                last = omp_get_team_num();
                of_last++;
            }
        }
    }
    check_true("some team is the last", last >= 0 && last < TEAMS);
    check_int("of last", 0, of_last, 1);
    check_int("the host's", 0, tickets, 0);

    // Four threads of each team take a place, which begins where the host's variable does.
#pragma omp target map(from : places)
#pragma omp teams num_teams(TEAMS) thread_limit(THREADS)
#pragma omp parallel num_threads(THREADS)
    {
        if (omp_get_thread_num() % 16 == 3) {
            int at;
#pragma omp atomic capture
            {
                at = place;
                place += 2;
            }
            places[(at - 10) / 2] = at;
        }
    }
    for (int k = 0; k < TEAMS * 4; k++)
        check_int("places", k, places[k], 10 + 2 * k);

    // `firstprivate` on the combined construct is that of the teams.
    int own = 5;
#pragma omp target teams num_teams(TEAMS) thread_limit(THREADS) firstprivate(own) map(from : sums)
    {
#pragma omp parallel num_threads(THREADS)
        {
#pragma omp atomic update
            own += 1;
        }
        sums[omp_get_team_num()] = own;
    }
#pragma omp target teams distribute parallel for map(from : letters)
    for (int k = 0; k < TEAMS; k++) {
        Word word(k);
        letters[k] = word.first.value + word.length;
    }
    for (int k = 0; k < TEAMS; k++) {
        check_int("taken", k, taken[k], 1);
        check_int("sums", k, sums[k], 5 + THREADS);
        check_int("letters", k, letters[k], "threads of teams"[k % 16] + k);
    }
    return finish();
}
