/* bench_peak COMMAND…: runs it without its output and prints the largest resident size it had, in KiB. A process begins
 * with the peak of the one that it was forked from, so a large one can't measure this. */
#include <fcntl.h>
#include <stdio.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

int main(int argc, char **argv)
{
	int status;
	struct rusage u;
	if (argc < 2)
		return 2;
	pid_t child = fork();
	if (child == 0) {
		int null = open("/dev/null", O_WRONLY);
		if (null >= 0)
			dup2(null, STDOUT_FILENO);
		execvp(argv[1], argv + 1);
		_exit(127);
	}
	if (child < 0 || waitpid(child, &status, 0) < 0 || !WIFEXITED(status) || WEXITSTATUS(status) != 0) {
		perror(argv[1]);
		return 1;
	}
	getrusage(RUSAGE_CHILDREN, &u);
	printf("%ld\n", u.ru_maxrss);
	return 0;
}
