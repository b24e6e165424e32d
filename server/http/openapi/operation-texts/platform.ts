/** The texts of the operations of webhooks, health probes, operators and the sandbox. */
export const platformTexts = {
  'POST /webhooks/esign': {
    id: 'receiveEsignWebhook',
    description:
      'The e-signing provider sends changes of a signature here. The signature of the bytes is verified; a ' +
      'webhook is stored, and one that comes twice counts once. What it says is read back from the provider ' +
      'before it counts.',
  },
  'POST /webhooks/ekyc': {
    id: 'receiveEkycWebhook',
    description:
      'The eKYC provider sends changes of an identity check here. It is not signed, so it only makes the server ' +
      'read the result from the provider.',
  },
  'GET /health/live': {
    id: 'getLiveness',
    description: 'Answers as long as the process runs. Restart it when this fails. It needs no database.',
  },
  'GET /health/ready': {
    id: 'getReadiness',
    description:
      'Answers 200 when the database is reachable and has every migration. Send requests elsewhere when this is ' +
      '503.',
  },
  'GET /metrics': {
    id: 'getMetrics',
    description: 'Returns counters and gauges of requests, providers, signatures and jobs for Prometheus.',
  },
  'GET /operations/webhooks': {
    id: 'listWebhookDeliveries',
    description:
      'Lists the webhooks that arrived, page by page. `state=unknown` finds those about requests that this ' +
      'server did not make.',
  },
  'POST /operations/webhooks/{id}/replay': {
    id: 'replayWebhookDelivery',
    description: 'Processes a stored webhook once more. A second time changes nothing.',
  },
  'POST /operations/invitations': {
    id: 'inviteLandlord',
    description:
      'Invites a landlord by a message that leads to the sign-in. No account is made: the person signs in with ' +
      'a one-time password of their own, and finds the names in `GET /auth/me`, for the form of the profile. ' +
      'Inviting again changes an open invitation, and sends a message only if none was sent.',
  },
  'GET /operations/invitations': {
    id: 'listInvitations',
    description: 'Lists the invitations, page by page. One that has expired is deleted seven days later.',
  },
  'DELETE /operations/invitations/{id}': {
    id: 'cancelInvitation',
    description:
      'Deletes an invitation, so that the person no longer finds its names. A message cannot be called back.',
  },
  'GET /operations/jobs': {
    id: 'getJobsReport',
    description: 'Returns the runs of each job by state, the newest failures and the work that waits.',
  },
  'GET /sandbox/control': {
    id: 'getSandbox',
    description:
      'Returns the clock of the sandbox, its fault rules, and the signatures and identity checks that wait for a ' +
      'person.',
  },
  'POST /sandbox/control/clock': {
    id: 'moveSandboxClock',
    description:
      'Moves the clock: late webhooks arrive, requests expire, and the books have what falls due before the ' +
      'response. Outside of production the whole server goes by it, sessions too. Send exactly one field.',
  },
  'POST /sandbox/control/signatures/{id}': {
    id: 'actAsSigner',
    description:
      'Does what a signer would do on the page at `signing_url`. `id` is the last part of that address.',
  },
  'POST /sandbox/control/checks/{id}': {
    id: 'decideIdentityCheck',
    description:
      'Does what a person would do on the page at `verification_url`. `id` is the last part of that address.',
  },
  'POST /sandbox/control/faults': {
    id: 'addSandboxFault',
    description: 'Makes the next calls to a simulated provider, or its next webhooks, fail or come late.',
  },
  'DELETE /sandbox/control/faults': {
    id: 'clearSandboxFaults',
    description: 'Removes every fault rule.',
  },
  'DELETE /sandbox/control/faults/{id}': {
    id: 'removeSandboxFault',
    description: 'Removes one fault rule, whether or not it was used up.',
  },
  'GET /sandbox/messages': {
    id: 'listSandboxMessages',
    description:
      'Lists the newest fifty messages that the sandbox kept instead of sending them, newest first.',
  },
}
