import { Activity } from './activity'
import {
  Agreement,
  AgreementCertificate,
  AgreementCounter,
  AgreementEvent,
  AgreementTenant,
  SignedDocument,
  TenantContact,
} from './agreement'
import { AgreementSignature, SigningCancellation } from './agreement-signature'
import { AuthSession, IdempotencyKey, OtpSession, RateLimit } from './auth'
import { Charge } from './charge'
import { DepositSettlement } from './deposit-settlement'
import { Invitation } from './invitation'
import { KycRequest } from './kyc-request'
import { Journal, JournalLine, Ledger, PaymentAllocation } from './ledger'
import { Payment, ReceiptCounter } from './payment'
import { Property } from './property'
import { PropertyUnit } from './property-unit'
import { RentRevision } from './rent-revision'
import { SandboxRecord } from './sandbox-record'
import { User } from './user'
import { WebhookDelivery } from './webhook-delivery'

export * from './activity'
export * from './agreement'
export * from './agreement-signature'
export * from './auth'
export * from './charge'
export * from './deposit-settlement'
export * from './invitation'
export * from './kyc-request'
export * from './ledger'
export * from './payment'
export * from './property'
export * from './property-unit'
export * from './rent-revision'
export * from './sandbox-record'
export * from './user'
export * from './webhook-delivery'

export const entities = [
  User,
  OtpSession,
  AuthSession,
  RateLimit,
  IdempotencyKey,
  KycRequest,
  Property,
  PropertyUnit,
  Agreement,
  AgreementTenant,
  AgreementCounter,
  TenantContact,
  AgreementEvent,
  SignedDocument,
  AgreementCertificate,
  AgreementSignature,
  SigningCancellation,
  Ledger,
  Charge,
  Payment,
  PaymentAllocation,
  Journal,
  JournalLine,
  ReceiptCounter,
  RentRevision,
  DepositSettlement,
  Activity,
  WebhookDelivery,
  Invitation,
  SandboxRecord,
] as const
