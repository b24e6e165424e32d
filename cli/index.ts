#!/usr/bin/env -S bun --config=/dev/null --no-env-file --no-install
import { runCli } from './runtime/program'
import { createTerminal } from './runtime/terminal'

process.stdout.on('error', stopIfReaderLeft)
process.exitCode = await runCli(process.argv.slice(2), createTerminal())

/** A reader such as `head` may close the pipe before the end. */
function stopIfReaderLeft(error: NodeJS.ErrnoException) {
  if (error.code !== 'EPIPE') throw error
  process.exit()
}
