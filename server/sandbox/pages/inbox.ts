import { Value } from '@sinclair/typebox/value'
import { PhoneNumber } from '@kiraya/sdk/contract'
import type { Deps } from '../../deps'
import { listNewestMessages } from '../whatsapp'
import { deskPage, messageList } from './desk-layout'
import { card, notice } from '../../pages/elements'
import { button, field } from '../../pages/forms'
import { html } from '../../pages/html'

/** Renders the newest messages, of all phone numbers or of one. */
export async function inboxPage(deps: Deps, phone: string) {
  const isValid = !phone || Value.Check(PhoneNumber, phone)
  const messages = isValid ? await listNewestMessages(deps, phone ? { phone } : {}) : []
  const heading = phone && isValid ? `Messages to ${phone}` : 'Newest messages'
  const error =
    !isValid && notice('The phone number must have ten digits and start with 6, 7, 8 or 9.', 'bad')
  const body = [error, searchForm(phone), card(heading, messageList(messages))]
  return deskPage(deps, '/sandbox/inbox', 'Inbox', body, isValid ? 200 : 400)
}

function searchForm(phone: string) {
  const phoneField = field('phone', { label: 'Phone number', type: 'tel', value: phone })
  const resetLink = phone && html`<a class="button" href="/sandbox/inbox">Show all</a>`
  return html`<form method="get" action="/sandbox/inbox" class="inline" role="search">
    ${phoneField}${button('Show', 'main')}${resetLink}
  </form>`
}
