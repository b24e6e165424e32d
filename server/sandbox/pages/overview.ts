import type { SandboxCheck, SandboxMessage, SandboxSignature, SandboxState } from '@kiraya/sdk/contract'
import { loadSandboxState } from '../control'
import type { SandboxCore } from '../core'
import { maskPhone } from '../../pdf/formats'
import { listNewestMessages } from '../whatsapp'
import { clockText, deskPage, messageList } from './desk-layout'
import {
  badge,
  card,
  columns,
  descriptionList,
  itemList,
  link,
  listItem,
  paragraph,
  time,
} from '../../pages/elements'
import { describeRule } from './fault-labels'
import { html } from '../../pages/html'

const MAX_MESSAGES = 5

/** Renders what a person can act on, the newest messages, and the active fault rules. */
export async function overviewPage(sandbox: SandboxCore) {
  const { deps } = sandbox
  const simulated = deps.config.sandbox
  const [state, messages] = await Promise.all([
    loadSandboxState(sandbox),
    simulated.messages ? listNewestMessages(deps, {}) : [],
  ])
  const left = [
    simulated.signing && signaturesCard(state.signatures),
    simulated.messages && messagesCard(messages),
  ]
  const right = [simulated.kyc && checksCard(state.checks), settingsCard(state)]
  const sampleLease = link(`${deps.publicUrl()}/sandbox/files/sample-lease.pdf`)
  return deskPage(deps, '/sandbox', 'Sandbox', [
    paragraph(
      'The sandbox simulates the e-signing, eKYC and message providers. ' +
        'Act on open requests and read messages here.',
      'lead',
    ),
    columns(left, right),
    paragraph(html`Sample lease for trying out the signing: ${sampleLease}`, 'note'),
  ])
}

function signaturesCard(signatures: SandboxSignature[]) {
  const items = signatures.map(signature => {
    const openUntil = html`open until ${time(signature.valid_until)}`
    const title = link(signature.url, signature.name)
    return [listItem(title, maskPhone(signature.phone), openUntil), signatureBadge(signature)]
  })
  return card('Open signing requests', itemList(items, 'No open signing requests.'))
}

function signatureBadge({ status, error }: SandboxSignature) {
  if (error) return badge(error, 'bad')
  return status === 'pending' ? badge('Waiting') : badge('Opened', 'busy')
}

function messagesCard(messages: SandboxMessage[]) {
  const moreLink = messages.length > MAX_MESSAGES && paragraph(link('/sandbox/inbox', 'All messages'))
  return card('Newest messages', [messageList(messages.slice(0, MAX_MESSAGES)), moreLink])
}

function checksCard(checks: SandboxCheck[]) {
  const items = checks.map(({ id, status, url }) =>
    listItem(link(url, `Check ${id.slice(0, 8)}`), status === 'CREATED' ? 'not opened yet' : 'opened'),
  )
  return card('Open identity checks', itemList(items, 'No open identity checks.'))
}

function settingsCard({ clock, faults, held_webhooks }: SandboxState) {
  const rules = faults.length ? itemList(faults.map(describeRule), '') : 'none'
  return card('What happens next', [
    descriptionList({
      Clock: clockText(clock),
      'Fault rules': rules,
      ...(held_webhooks > 0 && { 'Scheduled webhooks': held_webhooks }),
    }),
    paragraph(link('/sandbox/faults', 'Choose what happens next')),
  ])
}
