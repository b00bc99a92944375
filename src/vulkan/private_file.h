/* Files that this user alone can have written, for what is handed to others without a further look, as drivers' programs are.
 *
 * A file and its folder belong to the user that the process acts for, and nobody else may write to them; both are looked at after they were
 * opened. A file is regular, no link, and replaced as a whole. */
#ifndef PIETRA_VULKAN_PRIVATE_FILE_H
#define PIETRA_VULKAN_PRIVATE_FILE_H

#include <stdbool.h>
#include <stddef.h>

/* Reads a file of at most so many bytes, behind which one of 0 is put. To be freed; NULL: it is not there, not as above, or cannot be
 * read. */
unsigned char *private_file_read(const char *path, size_t most_bytes, size_t *byte_count);

/* Writes a head and what follows it, under a temporary name first; folders that are missing are made for the user alone. False: it cannot
 * be written, or its folder is not as above. */
bool private_file_write(const char *path, const void *head, size_t head_bytes, const void *bytes, size_t byte_count);

#endif
