import { describe, expect, test } from 'bun:test'
import { getKysely } from '../../../db/database'
import { sendReminders } from '../../../server/jobs/send-reminders'
import { createDraft, signInUser, type TestUser } from '../../support/users'
import { clock, testServer } from '../../support/server'
import { signingProvider, signs, signsAt, start } from '../agreements/signing/provider'

const provider = signingProvider()
const HOUR = 3_600_000

/** A server whose clock moves and whose reminders are seen. */
function reminding() {
  const time = clock()
  const sent: { phone: string; agreement_number: string; signing_url: string }[] = []
  let failing: Error | undefined
  const it = testServer({
    env: provider.env,
    overrides: {
      now: time.now,
      sendReminder: async (phone, reminder) => {
        if (failing) throw failing
        sent.push({ phone, ...reminder })
      },
    },
  })
  return {
    it,
    time,
    fail: (error?: Error) => void (failing = error),
    to: (phone: string) => sent.filter(each => each.phone === phone),
    /** Hour by hour, with several instances at it. */
    pass: async (hours: number) => {
      for (let hour = 0; hour < hours; hour++) {
        time.advance(HOUR)
        await Promise.all([sendReminders(it.deps), sendReminders(it.deps), sendReminders(it.deps)])
      }
    },
  }
}

describe('reminders', () => {
  const { it, time, fail, to, pass } = reminding()
  const asked = async () => {
    const owner = await signInUser(it.url)
    const tenant = await signInUser(it.url)
    const { agreement } = await createDraft(owner, [tenant])
    const {
      body: { data },
    } = await start(owner, agreement, tenant)
    return { owner, tenant, agreement, first: data as { signature_id: string; signing_url: string } }
  }
  // Their tokens have expired by then.
  const again = (person: TestUser) => signInUser(it.url, person.phone)
  const events = async (owner: TestUser, id: number) =>
    (await (await again(owner)).call('GET', `/agreements/${id}/timeline`)).body.data.events as {
      type: string
      actor_id: number | null
      details: any
    }[]

  test('come after a day, then every two, at most five times, always with a page that is open', async () => {
    const { owner, tenant, agreement, first } = await asked()
    const seen: number[] = []
    for (let day = 1; day <= 20; day++) {
      await pass(24)
      seen.push(to(tenant.phone).length)
    }
    expect(seen.slice(0, 10)).toEqual([1, 1, 2, 2, 3, 3, 4, 4, 5, 5])
    expect(seen.at(-1)).toBe(5)
    expect(to(tenant.phone)[0]).toEqual({
      phone: tenant.phone,
      agreement_number: agreement.agreement_number,
      signing_url: first.signing_url,
    })
    // The first request lapsed after three days, so that a new one was made for the later ones.
    expect(new Set(to(tenant.phone).map(({ signing_url }) => signing_url)).size).toBeGreaterThan(1)
    const told = await events(owner, agreement.id)
    expect(
      told
        .filter(({ type }) => type === 'reminded')
        .map(({ actor_id, details }) => [actor_id, details.signer_id, details.reminder]),
    ).toEqual([1, 2, 3, 4, 5].map(count => [null, tenant.id, count]))
    expect(told.filter(({ type }) => type === 'reissued').every(({ actor_id }) => actor_id === null)).toBe(
      true,
    )
    await signsAt(
      provider,
      it.url,
      (await start(await again(tenant), agreement, tenant)).body.data.signature_id,
    )
    expect(
      (await (await again(owner)).call('GET', `/agreements/${agreement.id}/signatures`)).body.data
        .signatures[0].status,
    ).toBe('signed')
  }, 60_000)

  test('stop once it is signed, declined, cancelled, terminated or revised, and for who was never asked', async () => {
    const ends: ((asked: Awaited<ReturnType<typeof reminded>>) => Promise<unknown>)[] = [
      ({ first }) => signsAt(provider, it.url, first.signature_id),
      ({ first }) =>
        provider.webhook(
          it.url,
          provider.news(
            'ESIGN_FAILED',
            provider.becomes(first.signature_id, { errCode: 'signer_declined' }),
            { errCode: 'signer_declined' },
          ),
        ),
      ({ owner, agreement, first }) =>
        owner.call('POST', `/agreements/${agreement.id}/signatures/${first.signature_id}/cancel`),
      ({ owner, agreement }) => owner.call('POST', `/agreements/${agreement.id}/terminate`, {}),
      ({ owner, agreement }) => owner.call('POST', `/agreements/${agreement.id}/revise`, {}),
    ]
    const reminded = asked
    for (const end of ends) {
      const world = await asked()
      await end(world)
      await pass(30)
      expect([to(world.tenant.phone).length, to(world.owner.phone).length]).toEqual([0, 0])
    }
  }, 60_000)

  test('one that could not be sent does not count, and is tried again', async () => {
    const { owner, tenant, agreement } = await asked()
    fail(new Error('The channel is down'))
    await pass(30)
    expect((await events(owner, agreement.id)).some(({ type }) => type === 'reminded')).toBe(false)
    fail()
    await pass(2)
    expect([
      to(tenant.phone).length,
      (await events(owner, agreement.id))
        .filter(({ type }) => type === 'reminded')
        .map(({ details }) => details.reminder),
    ]).toEqual([1, [1]])
  })

  test('where the agreement cannot be signed any more by then, nobody is reminded', async () => {
    const { owner, tenant, agreement } = await asked()
    await signs(provider, it.url, owner, agreement, owner)
    await getKysely(it.em())
      .updateTable('users')
      .set({ is_active: false })
      .where('id', '=', tenant.id)
      .execute()
    time.advance(80 * HOUR)
    await pass(3)
    expect(to(tenant.phone)).toEqual([])
  })
})
