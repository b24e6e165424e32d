/** Recognizable values that must not appear in any log line. */
export const canaries = {
  phone: '9871203465',
  'other phone': '8612309745',
  'first name': 'Zebulonqx',
  'last name': 'Quandaryvz',
  'e-mail': 'zq.canary@example.com',
  password: 'passcanary-kx93jd-long',
  Aadhaar: '734512908867',
  'Aadhaar in groups': '7345 1290 8867',
  photo: 'PHOTOCANARYbase64',
  XML: '<KycCanary',
  birthday: '17-03-1971',
  'WhatsApp token': 'wa-canary-token',
  'MSG91 key': 'msg91-canary-key',
  'e-sign secret': 'esign-canary-secret',
  'eKYC secret': 'ekyc-canary-secret',
  'webhook secret': 'wq8Z0vNf3m1TtYb7rPzGk2dLx5sHcJ9uWb',
  'JWT secret': 'Gd4kV7nXw2QpLs9ZtRb6yMf1hJc8uE3aJw',
  'credentials key': 'p0Jd8sVq3nXtLr5wYk2ZbHf7mCg9uEa1TiOxNvQyRzE=',
  'operations token': '5fT0qYc9WmK3xRb8Zs1LpHv6NdJg2UeA7iOp',
  'Idempotency-Key': 'idem-canary-key',
  'database password': 'db-canary-password',
  'free text': 'freetextcanary',
}
export const everything = Object.values(canaries).join(' | ')
export const aadhaar = {
  name: `${canaries['first name']} ${canaries['last name']}`,
  dateOfBirth: canaries.birthday,
  photo: canaries.photo,
  aadhaarNumber: canaries.Aadhaar,
}

/** Returns the names of the canaries that the output contains. */
export function findLeaks(output: string, more: Record<string, string> = {}) {
  const isLeaked = ([name, text]: [string, string]) =>
    name === 'OTP'
      ? new RegExp(`(?<![\\w.-])${text}(?![\\w-])`).test(output)
      : output.toLowerCase().includes(text.toLowerCase())
  return Object.entries({ ...canaries, ...more })
    .filter(isLeaked)
    .map(([name]) => name)
}
