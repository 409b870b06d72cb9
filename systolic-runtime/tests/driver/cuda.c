/* Stands for the CUDA driver where there is none: memory of the host, and streams whose work is done at once. It runs one kernel,
   `y = x * a`, by the calling convention of emitted kernels. A stream that captures refuses what a real one refuses, and memory that is
   freed twice, or not at all, is reported. */
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef unsigned long long address;
struct function { char name[64]; };
struct node { struct function *function; address words[16]; address to; size_t bytes; struct node *next; };
struct graph { struct node *first, **last; };
struct stream { struct graph *captures; };
struct piece { char *place; size_t bytes; };

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static struct piece pieces[1000];
static int count;

enum { WRONG = 1, NO_MEMORY = 2, UNSUPPORTED = 801, CAPTURES = 900 };

int cuInit(unsigned flags) { return 0; }
int cuDriverGetVersion(int *version) { *version = 13000; return 0; }
int cuDeviceGetCount(int *number) { *number = 1; return 0; }
int cuDeviceGet(int *device, int ordinal) { *device = ordinal; return 0; }
int cuDeviceGetName(char *name, int length, int device) { snprintf(name, length, "a test"); return 0; }
int cuDeviceTotalMem_v2(size_t *bytes, int device) { *bytes = 1ul << 37; return 0; }
int cuDeviceGetAttribute(int *value, int which, int device) {
    *value = which == 75 ? 9 : which == 16 ? 132 : which == 97 ? 232448 : 0;
    return 0;
}
int cuDevicePrimaryCtxRetain(void **context, int device) { *context = &pieces; return 0; }
int cuDevicePrimaryCtxRelease_v2(int device) {
    /* The last owner of the context is gone, so all memory must be. */
    if (count != 0) { fprintf(stderr, "%d pieces of memory were not freed\n", count); abort(); }
    return 0;
}
int cuCtxSetCurrent(void *context) { return 0; }

int cuMemAlloc_v2(address *to, size_t bytes) {
    if (bytes > 1ul << 33) return NO_MEMORY;
    pthread_mutex_lock(&lock);
    char *place = aligned_alloc(256, (bytes + 255) / 256 * 256);
    pieces[count++] = (struct piece){place, bytes};
    pthread_mutex_unlock(&lock);
    *to = (address)place;
    return 0;
}
static struct piece *find(address at) {
    for (int k = 0; k < count; k++)
        if (at >= (address)pieces[k].place && at < (address)pieces[k].place + pieces[k].bytes) return &pieces[k];
    return NULL;
}
int cuMemFree_v2(address at) {
    pthread_mutex_lock(&lock);
    struct piece *piece = find(at);
    if (piece == NULL || piece->place != (char *)at) { fprintf(stderr, "freed twice\n"); abort(); }
    memset(piece->place, 0xee, piece->bytes);
    free(piece->place);
    *piece = pieces[--count];
    pthread_mutex_unlock(&lock);
    return 0;
}
int cuPointerGetAttribute(void *to, int which, address at) {
    pthread_mutex_lock(&lock);
    struct piece *piece = find(at);
    pthread_mutex_unlock(&lock);
    if (piece == NULL) return WRONG;
    if (which == 1) *(void **)to = &pieces;
    if (which == 9) *(int *)to = 0;
    if (which == 11) *(address *)to = (address)piece->place;
    if (which == 12) *(size_t *)to = piece->bytes;
    return 0;
}

static void run(struct node *node) {
    pthread_mutex_lock(&lock);
    if (node->function == NULL) {
        memset((void *)node->to, 0, node->bytes);
    } else {
        float *x = (float *)node->words[0], *y = (float *)node->words[4], a;
        memcpy(&a, &node->words[2], 4);
        if (find((address)x) == NULL || find((address)y) == NULL) { fprintf(stderr, "used after free\n"); abort(); }
        for (address n = 0; n < node->words[1]; n++) y[n] = x[n] * a;
    }
    pthread_mutex_unlock(&lock);
}
static int enqueue(struct stream *stream, struct node node) {
    if (stream->captures == NULL) { run(&node); return 0; }
    struct node *kept = malloc(sizeof node);
    *kept = node;
    *stream->captures->last = kept;
    stream->captures->last = &kept->next;
    return 0;
}
int cuLaunchKernel(struct function *function, unsigned a, unsigned b, unsigned c, unsigned d, unsigned e, unsigned f, unsigned shared,
                   struct stream *stream, void **parameters, void **extra) {
    struct node node = {function};
    memcpy(node.words, extra[1], *(size_t *)extra[3] < sizeof node.words ? *(size_t *)extra[3] : sizeof node.words);
    return enqueue(stream, node);
}
int cuMemsetD8Async(address to, unsigned char value, size_t bytes, struct stream *stream) {
    return enqueue(stream, (struct node){NULL, {0}, to, bytes});
}
static int copy(void *to, const void *from, size_t bytes, struct stream *stream) {
    if (stream->captures != NULL) return CAPTURES;
    memcpy(to, from, bytes);
    return 0;
}
int cuMemcpyHtoDAsync_v2(address to, void *from, size_t bytes, struct stream *s) { return copy((void *)to, from, bytes, s); }
int cuMemcpyDtoHAsync_v2(void *to, address from, size_t bytes, struct stream *s) { return copy(to, (void *)from, bytes, s); }
int cuMemcpyHtoD_v2(address to, void *from, size_t bytes) { memcpy((void *)to, from, bytes); return 0; }

int cuStreamCreate(struct stream **stream, unsigned flags) { *stream = calloc(1, sizeof **stream); return 0; }
int cuStreamDestroy_v2(struct stream *stream) { free(stream); return 0; }
int cuStreamSynchronize(struct stream *stream) { return stream->captures ? CAPTURES : 0; }
int cuEventCreate(void **event, unsigned flags) { *event = malloc(1); return 0; }
int cuEventDestroy_v2(void *event) { free(event); return 0; }
int cuEventRecord(void *event, struct stream *stream) { return stream->captures ? CAPTURES : 0; }
int cuEventSynchronize(void *event) { return 0; }
int cuStreamWaitEvent(struct stream *stream, void *event, unsigned flags) { return stream->captures ? CAPTURES : 0; }

int cuModuleLoadData(void **module, void *image) { *module = malloc(1); return 0; }
int cuModuleUnload(void *module) { free(module); return 0; }
int cuModuleGetFunction(struct function **function, void *module, char *name) {
    *function = calloc(1, sizeof **function);
    strncpy((*function)->name, name, 63);
    return 0;
}
int cuFuncGetAttribute(int *value, int which, void *function) { *value = 0; return 0; }
int cuFuncSetAttribute(void *function, int which, int value) { return 0; }

int cuStreamBeginCapture_v2(struct stream *stream, int mode) {
    stream->captures = calloc(1, sizeof *stream->captures);
    stream->captures->last = &stream->captures->first;
    return 0;
}
int cuStreamEndCapture(struct stream *stream, struct graph **graph) {
    *graph = stream->captures;
    stream->captures = NULL;
    return 0;
}
int cuGraphInstantiateWithFlags(struct graph **ready, struct graph *graph, address flags) {
    if (getenv("WITHOUT_GRAPHS") != NULL) return UNSUPPORTED;
    *ready = malloc(sizeof **ready);
    **ready = *graph;
    return 0;
}
int cuGraphDestroy(struct graph *graph) { free(graph); return 0; }
int cuGraphExecDestroy(struct graph *graph) { free(graph); return 0; }
int cuGraphLaunch(struct graph *graph, struct stream *stream) {
    for (struct node *node = graph->first; node != NULL; node = node->next) run(node);
    return 0;
}
