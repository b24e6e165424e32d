import { expect, test } from 'bun:test'
import type { Kiraya } from '@kiraya/sdk'
import { finishOnboarding } from '../../cli/people'

const names = { first_name: 'Asha', last_name: 'Rao', email: 'asha@example.com' }

test.each([
  ['/sandbox/verify/check-1', ['/sandbox/verify/check-1/approve']],
  ['/checks/check-1', []],
])('of the page %s of an identity check, buttons are pressed at the sandbox alone', async (path, pressed) => {
  const paths: string[] = []
  const completed: string[] = []
  using pages = Bun.serve({
    port: 0,
    fetch: ({ url }) => (paths.push(new URL(url).pathname), new Response()),
  })
  const profile = {
    startKyc: async () => ({ verification_id: 'check-1', verification_url: new URL(path, pages.url).href }),
    completeKyc: async (id: string) => completed.push(id),
  }

  await finishOnboarding({ profile } as unknown as Kiraya, 'NEEDS_VERIFICATION', names)

  expect([paths, completed]).toEqual([pressed, ['check-1']])
})
