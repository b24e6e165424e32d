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
import { Activity, SandboxRecord, WebhookDelivery } from './journal'
import { KycRequest } from './kyc-request'
import { Property } from './property'
import { PropertyUnit } from './property-unit'
import { AuthSession, IdempotencyKey, OtpSession, RateLimit } from './auth'
import { User } from './user'

export * from './agreement'
export * from './agreement-signature'
export * from './journal'
export * from './kyc-request'
export * from './property'
export * from './property-unit'
export * from './auth'
export * from './user'

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
  Activity,
  WebhookDelivery,
  SandboxRecord,
] as const
