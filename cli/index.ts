#!/usr/bin/env -S bun --no-env-file --no-install
import { terminalIo } from './io'
import { run } from './program'

process.exitCode = await run(process.argv.slice(2), terminalIo())
