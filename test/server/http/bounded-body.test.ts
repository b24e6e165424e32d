import { expect, test } from 'bun:test'
import type { BodyLimits } from '../../../server/http/body-limits'
import { limitBody } from '../../../server/http/bounded-body'

test('408: a long body whose request ended while its session was looked up takes no room in memory', async () => {
  const session = Promise.withResolvers<void>()
  let reservations = 0
  const limits = {
    checkSize: () => {},
    requireSession: () => session.promise,
    reserve: () => {
      reservations++
      return { extendTo: () => {}, release: () => {} }
    },
  } satisfies BodyLimits
  const headers = { 'content-length': String(1024 * 1024) }
  const request = new Request('http://localhost/', { method: 'POST', headers, body: 'x' })

  const endRequest = limitBody(request, limits, 60_000)
  const text = request.text()
  endRequest()
  session.resolve()

  expect(await text.catch(fault => fault)).toMatchObject({ status: 408, reason: 'body_too_slow' })
  expect(reservations).toBe(0)
})
