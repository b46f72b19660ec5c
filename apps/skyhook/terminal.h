// All that the program prints. Names come from models, results, plug-ins and folders and may hold any bytes; on their way to
// a terminal control characters are written out (\x1b), so that no name can move the cursor or hide a message.
#pragma once
#include <cstdio>
#include <string_view>

namespace skyhook::app {

// To be called first: from then on stdout and stderr are such streams.
void protect_terminal();

// To standard output as it is: data for programs. Throws ModelError if it cannot be written.
void print_data(std::string_view bytes);
// To a stream as it is: what the program itself draws and how it moves the cursor.
void print_control(std::FILE* stream, std::string_view bytes);

int output_descriptor();   // of standard output
int message_descriptor();  // of standard error

// Before code of others runs: what that writes to descriptor 1 goes to standard error, so that the program's own output
// stays what it is, JSON for example.
void stand_aside();

}  // namespace skyhook::app
