import { beforeAll, expect, test } from 'bun:test'
import { join } from 'node:path'
import { testServer } from '../support/server'
import { createProject, isFullRound, root, runProgram } from './project'

const server = testServer()
const built = join(root, 'cli/dist')

beforeAll(async () => {
  await runProgram([process.execPath, 'build.ts'], join(root, 'cli'))
})

test('the published command needs nothing but Node', async () => {
  const manifest = await Bun.file(join(built, 'package.json')).json()
  expect(manifest).toMatchObject({ name: '@kiraya/cli', bin: { kiraya: 'kiraya.js' } })
  expect(manifest).not.toHaveProperty('dependencies')

  const program = await Bun.file(join(built, 'kiraya.js')).text()
  expect(program).toStartWith('#!/usr/bin/env node\n')
  expect(program).not.toMatch(/\bBun\./)
})

test.skipIf(!isFullRound).each([22, 24])('the tarball installs and runs in Node %d', async version => {
  using project = createProject({})
  const tarball = join(built, 'kiraya-cli-1.0.0.tgz')
  await project.run('npm', 'install', '--no-audit', '--no-fund', `node@${version}`, tarball)

  const output = await project.run('npx', 'kiraya', 'smoke', '--url', server.url, '--json')
  expect(JSON.parse(output).length).toBeGreaterThan(10)
})
