import type { SandboxClock, SandboxMessage } from '@kiraya/sdk/contract'
import type { Deps } from '../../deps'
import { badge, itemList, link, linkAddresses, listItem, time } from '../../pages/elements'
import { formatDuration } from './fault-labels'
import { html, type Content } from '../../pages/html'
import { page } from '../../pages/layout'

/** Renders a page of the desk for QA, with its navigation. */
export function deskPage({ config }: Deps, current: string, title: string, body: Content, status = 200) {
  const nav = [
    { label: 'Overview', href: '/sandbox' },
    { label: 'Control', href: '/sandbox/faults' },
  ]
  if (config.sandbox.messages) nav.push({ label: 'Inbox', href: '/sandbox/inbox' })
  return page(title, body, { nav, current, tag: 'Sandbox', status })
}

export const clockText = ({ now, offset_ms }: SandboxClock) =>
  offset_ms ? html`${time(now)}, moved by ${formatDuration(offset_ms)}` : html`${time(now)}, server time`

export function messageList(messages: SandboxMessage[]) {
  const items = messages.map(({ phone, otp, text, sent_at }) => {
    const phoneLink = link(`/sandbox/inbox?phone=${phone}`, phone)
    const otpBadge = otp !== null && badge(otp, 'good')
    return [listItem(linkAddresses(text), phoneLink, time(sent_at)), otpBadge]
  })
  return itemList(items, 'No messages.')
}
