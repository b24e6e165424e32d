import { expect, test } from 'bun:test'
import * as contract from '@kiraya/sdk/contract'
import * as bookFields from '../../cli/book-result-fields'
import * as fields from '../../cli/result-fields'

const keysOf = ({ properties }: { properties: object }) => Object.keys(properties)

test.each<[string, readonly string[], { properties: object }]>([
  ['an agreement', fields.agreementResultFields, contract.Agreement],
  ['a property', fields.propertyResultFields, contract.PropertyWithUnits],
  ['a unit', fields.unitResultFields, contract.Unit],
  ['a tenant', fields.namedTenantFields, contract.NamedTenant],
  ['a profile', fields.profileResultFields, contract.Profile],
  ['a message', fields.messageResultFields, contract.Message],
  ['a signing', fields.startedSigningFields, contract.StartedSigning],
  ['a refusal', fields.declinedSignatureFields, contract.DeclinedSignature],
  ['a cancelled signature', fields.cancelledSignatureFields, contract.CancelledSignature],
  ['an identity check', fields.startedKycFields, contract.StartKycResponse],
  ['a fault', fields.faultResultFields, contract.SandboxFault],
  ['a webhook', fields.webhookResultFields, contract.WebhookDelivery],
  ['a charge', bookFields.chargeResultFields, contract.Charge],
  ['a payment', bookFields.paymentResultFields, contract.Payment],
  ['a refund', bookFields.refundResultFields, contract.Refund],
  ['a settlement', bookFields.settlementResultFields, contract.DepositSettlement],
  ['a rent revision', bookFields.revisionResultFields, contract.RentRevision],
])('a change of %s prints each field that the API has', (_, printed, schema) => {
  expect(printed.toSorted()).toEqual(keysOf(schema).toSorted())
})

test('a sign-in prints the user, the next step and, before that, that an OTP was sent', () => {
  const user = [...keysOf(contract.User), 'status']
  expect(fields.signInFields.toSorted()).toEqual(user.toSorted())
  expect(fields.loginResultFields).toEqual(
    expect.arrayContaining([...user, ...keysOf(contract.SendOtpResponse)]),
  )
})
