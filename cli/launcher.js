#!/usr/bin/env node
// The package's program. An older Node cannot even read the rest, so this has old syntax and imports nothing first.
import process from 'node:process'

const [major, minor] = process.versions.node.split('.').map(Number)
const isOld = major < 22 || (major === 22 && minor < 12)

if (isOld) {
  console.error(
    `kiraya needs Node 22.12 or later, and this is Node ${process.versions.node}: install a newer one`,
  )
  process.exitCode = 1
} else {
  await import('./main.js')
}
