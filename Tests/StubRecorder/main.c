// Stands in for `callbot record` where hundreds of recorders are started within seconds: it says of itself what a real one does
// and records nothing.
//
//     StubRecorder record stub://run ...             until it is asked to end (SIGTERM), then 143
//     StubRecorder record stub://exit/CODE/MS ...    ends with this code after so many milliseconds
//     StubRecorder record stub://crash ...           kills itself; asked to go on with a recording, it ends well
//
// $STUB_LOG is a file to which it adds a line when it starts and when it ends: "start RUN PROCESS", "end RUN PROCESS CODE".
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <time.h>
#include <unistd.h>

static char run[200];
static const char *status;

static unsigned long long start_of_process(void) {
  char text[2048];
  FILE *file = fopen("/proc/self/stat", "re");
  size_t count = file ? fread(text, 1, sizeof text - 1, file) : 0;
  if (file) fclose(file);
  text[count] = 0;
  char *rest = strrchr(text, ')');
  for (int field = 2; rest && field < 22; field++) rest = strchr(rest + 1, ' ');
  return rest ? strtoull(rest + 1, NULL, 10) : 0;
}

static void say(const char *state, const char *more) {
  char path[4200], text[1000];
  snprintf(path, sizeof path, "%s.new", status);
  int length = snprintf(text, sizeof text, "{\"state\":\"%s\",\"process\":%d,\"processStart\":%llu,\"room\":\"r\",\"at\":1,\"folder\":\"/recordings/%s\"%s}",
                        state, (int)getpid(), start_of_process(), run, more);
  int file = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);
  if (file < 0) exit(74);
  if (write(file, text, (size_t)length) != length) exit(74);
  close(file);
  if (rename(path, status)) exit(74);
}

static void note(const char *what, const char *more) {
  const char *path = getenv("STUB_LOG");
  int file = path ? open(path, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0600) : -1;
  if (file < 0) return;
  char text[400];
  int length = snprintf(text, sizeof text, "%s %s %d%s\n", what, run, (int)getpid(), more);
  if (write(file, text, (size_t)length) != length) exit(74);
  close(file);
}

static int end(int code) {
  char more[40];
  snprintf(more, sizeof more, ",\"exitCode\":%d", code);
  say("ended", more);
  snprintf(more, sizeof more, " %d", code);
  note("end", more);
  return code;
}

int main(int count, char **words) {
  alarm(600);  // no test takes so long: whoever wanted it was killed
  int resumes = 0;
  for (int i = 0; i + 1 < count; i++) {
    if (!strcmp(words[i], "--status")) status = words[i + 1];
    if (!strcmp(words[i], "--resume")) resumes = 1;
  }
  if (count < 3 || !status) return 64;
  // runs/RUN/status.json
  const char *last = strrchr(status, '/'), *name = last;
  while (name && name > status && name[-1] != '/') name--;
  snprintf(run, sizeof run, "%.*s", (int)(last - name), name);
  sigset_t asked;
  sigemptyset(&asked);
  sigaddset(&asked, SIGTERM);
  sigprocmask(SIG_BLOCK, &asked, NULL);
  char path[4200];
  snprintf(path, sizeof path, "%s.lock", status);
  int lock = open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0600);
  if (lock < 0 || flock(lock, LOCK_EX | LOCK_NB)) return 44;
  note("start", "");
  say("recording", "");
  int code = 0, milliseconds = 0;
  if (!strcmp(words[2], "stub://crash")) {
    if (resumes) return end(0);
    kill(getpid(), SIGKILL);
  }
  if (sscanf(words[2], "stub://exit/%d/%d", &code, &milliseconds) == 2) {
    struct timespec time = {milliseconds / 1000, milliseconds % 1000 * 1000000L};
    return end(sigtimedwait(&asked, NULL, &time) == SIGTERM ? 143 : code);
  }
  int signal;
  sigwait(&asked, &signal);
  return end(143);
}
