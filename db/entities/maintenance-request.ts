import { defineEntity, p, type InferEntity } from '@mikro-orm/core'
import {
  CostBearer,
  MaintenanceAttachment as Attachment,
  MaintenanceCategory,
  MaintenancePriority,
  MaintenanceStatus,
} from '@kiraya/sdk/contract'
import { Agreement } from './agreement'
import { Charge } from './charge'
import { createdAt, numericId, rupees, timestamps, uuid } from './columns'
import { PropertyUnit } from './property-unit'
import { User } from './user'

/** `agreement_id` is the agreement of its unit that was ACTIVE when it was raised. */
export const MaintenanceRequest = defineEntity({
  name: 'MaintenanceRequest',
  tableName: 'maintenance_requests',
  indexes: [
    { name: 'maintenance_requests_unit', properties: ['property_unit_id', 'id'] },
    { name: 'maintenance_requests_agreement', properties: ['agreement_id', 'id'] },
    { name: 'maintenance_requests_raised_by', properties: ['raised_by_id'] },
  ],
  checks: [{ name: 'maintenance_requests_cost', expression: 'cost >= 0' }],
  properties: {
    id: numericId(),
    request_id: uuid(),
    property_unit_id: () => p.manyToOne(PropertyUnit).mapToPk().fieldName('property_unit_id'),
    agreement_id: () =>
      p.manyToOne(Agreement).mapToPk().nullable().fieldName('agreement_id').deleteRule('no action'),
    raised_by_id: () => p.manyToOne(User).mapToPk().fieldName('raised_by_id'),
    category: p.enum(MaintenanceCategory.enum),
    priority: p.enum(MaintenancePriority.enum),
    title: p.string().length(200),
    description: p.text().nullable(),
    status: p.enum(MaintenanceStatus.enum),
    vendor_name: p.string().length(255).nullable(),
    vendor_phone: p.string().length(20).nullable(),
    scheduled_at: p.datetime(3).nullable(),
    cost: rupees().nullable(),
    borne_by: p.enum(CostBearer.enum),
    charge_id: () =>
      p.manyToOne(Charge).mapToPk().nullable().unique().fieldName('charge_id').deleteRule('no action'),
    resolved_at: p.datetime(3).nullable(),
    ...timestamps,
  },
})
export type MaintenanceRequest = InferEntity<typeof MaintenanceRequest>

const ofRequest = () => p.manyToOne(MaintenanceRequest).mapToPk().fieldName('maintenance_request_id')
const createdBy = () => p.manyToOne(User).mapToPk().fieldName('created_by_id')

/** A change of the status with what was said about it, or a comment alone: then `status` is null. */
export const MaintenanceEntry = defineEntity({
  name: 'MaintenanceEntry',
  tableName: 'maintenance_entries',
  indexes: [
    { name: 'maintenance_entries_request', properties: ['maintenance_request_id', 'id'] },
    { name: 'maintenance_entries_created_by', properties: ['created_by_id'] },
  ],
  checks: [{ name: 'maintenance_entries_content', expression: 'status is not null or text is not null' }],
  properties: {
    id: numericId(),
    comment_id: uuid(),
    maintenance_request_id: ofRequest,
    status: p.enum(MaintenanceStatus.enum).nullable(),
    text: p.text().nullable(),
    is_internal: p.boolean(),
    created_by_id: createdBy,
    ...createdAt,
  },
})
export type MaintenanceEntry = InferEntity<typeof MaintenanceEntry>

export const MaintenanceAttachment = defineEntity({
  name: 'MaintenanceAttachment',
  tableName: 'maintenance_attachments',
  indexes: [
    { name: 'maintenance_attachments_request', properties: ['maintenance_request_id', 'id'] },
    { name: 'maintenance_attachments_created_by', properties: ['created_by_id'] },
  ],
  properties: {
    id: numericId(),
    attachment_id: uuid(),
    maintenance_request_id: ofRequest,
    content_type: p.enum(Attachment.properties.content_type.enum),
    size: p.integer(),
    created_by_id: createdBy,
    ...createdAt,
  },
})
export type MaintenanceAttachment = InferEntity<typeof MaintenanceAttachment>

/** The bytes of an attachment, apart from it: no list reads them. */
export const MaintenanceFile = defineEntity({
  name: 'MaintenanceFile',
  tableName: 'maintenance_files',
  properties: {
    attachment_id: () =>
      p.manyToOne(MaintenanceAttachment).mapToPk().primary().fieldName('attachment_id').deleteRule('cascade'),
    content: p.blob(),
  },
})
export type MaintenanceFile = InferEntity<typeof MaintenanceFile>
