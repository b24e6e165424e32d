#!/usr/bin/env -S bun --no-env-file --no-install
import { createTerminal } from './terminal'
import { runCli } from './program'

process.exitCode = await runCli(process.argv.slice(2), createTerminal())
