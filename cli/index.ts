#!/usr/bin/env -S bun --no-env-file --no-install
import { runCli } from './program'
import { createTerminal } from './terminal'

process.exitCode = await runCli(process.argv.slice(2), createTerminal())
