/** Answers as a client reads them. */
export type TestResponse = { status: number; body: any; headers: Headers }

export async function sendRequest(
  url: string,
  method: string,
  path: string,
  { token, body, headers }: { token?: string; body?: unknown; headers?: Record<string, string> } = {},
): Promise<TestResponse> {
  const response = await fetch(`${url}${path}`, {
    method,
    redirect: 'manual',
    headers: {
      ...(token && { authorization: `Bearer ${token}` }),
      ...(body !== undefined && { 'content-type': 'application/json' }),
      ...headers,
    },
    body: body === undefined ? undefined : typeof body === 'string' ? body : JSON.stringify(body),
  })
  const text = await response.text()
  return {
    status: response.status,
    body: /json/.test(response.headers.get('content-type') ?? '') ? JSON.parse(text) : text,
    headers: response.headers,
  }
}

let next = Math.floor(Math.random() * 1_000_000)
/** A mobile number that no other test uses. */
export const freshPhone = () =>
  `9${String(process.pid % 1000).padStart(3, '0')}${String(next++ % 1_000_000).padStart(6, '0')}`

export type TestUser = {
  id: number
  user_id: string
  phone: string
  token: string
  call: (method: string, path: string, body?: unknown) => Promise<TestResponse>
}

/** Somebody who has signed in with an OTP, Variant B. */
export async function signInUser(url: string, phone = freshPhone()): Promise<TestUser> {
  await sendRequest(url, 'POST', '/auth/send-otp', { body: { phone_number: phone } })
  const { body } = await sendRequest(url, 'POST', '/auth/verify', {
    body: { phone_number: phone, otp: '123456' },
  })
  const { access_token: token, user } = body.data
  return {
    id: user.id,
    user_id: user.user_id,
    phone,
    token,
    call: (method, path, body) => sendRequest(url, method, path, { token, body }),
  }
}

/** Somebody who has finished the onboarding. */
export async function createLandlord(url: string) {
  const person = await signInUser(url)
  await person.call('PUT', '/profile/complete', {
    first_name: 'Asha',
    last_name: 'Rao',
    email: 'asha@example.com',
  })
  const { body } = await person.call('POST', '/profile/ekyc', {})
  await person.call('POST', '/profile/ekyc/complete', { verification_id: body.data.verification_id })
  return person
}

/** A property with one unit. */
export async function createUnit(owner: TestUser, unit: Record<string, unknown> = {}) {
  const { body } = await owner.call('POST', '/properties', {
    pin_code: 560048,
    property_type: 'apartment',
    society_building: 'White House',
    property_units: [{ unit_name: 'A-101', ...unit }],
  })
  return { property: body.data, unit: body.data.property_units[0] }
}

export const agreementTerms = (
  property_unit_id: number,
  tenant_ids: number[],
  more: Record<string, unknown> = {},
) => ({
  property_unit_id,
  tenant_ids,
  document_url: 'https://example.com/lease.pdf',
  agreement_start_date: '2026-12-01',
  tenure_in_months: 11,
  rent_amount: 25000,
  deposit_amount: 100000,
  rent_due_day: 5,
  notice_period_days: 30,
  ...more,
})

/** A draft between a landlord and a tenant. */
export async function createDraft(owner: TestUser, tenants: TestUser[], more: Record<string, unknown> = {}) {
  const { property, unit } = await createUnit(owner)
  const { body } = await owner.call(
    'POST',
    '/agreements',
    agreementTerms(
      unit.id,
      tenants.map(({ id }) => id),
      more,
    ),
  )
  return { property, unit, agreement: body.data }
}

/** Starts somebody's signing and presses a button on the sandbox's page. */
export async function completeSigning(
  starter: TestUser,
  agreementId: number,
  signerId: number,
  button = 'sign',
) {
  const { body } = await starter.call('POST', `/agreements/${agreementId}/sign`, { signer_id: signerId })
  const pressed = await fetch(`${body.data.signing_url}/${button}`, { method: 'POST', redirect: 'manual' })
  return { ...body.data, pressed: pressed.status } as {
    signature_id: string
    signing_url: string
    pressed: number
  }
}
