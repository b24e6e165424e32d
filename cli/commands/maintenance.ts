import { Message } from '@kiraya/sdk/contract/common'
import {
  MaintenanceAttachment,
  MaintenanceChange,
  MaintenanceComment,
  MaintenanceCommentQuery,
  MaintenanceQuery,
  MaintenanceRequestDetails,
  MaintenanceStatusInput,
  NewMaintenanceComment,
  NewMaintenanceRequest,
} from '@kiraya/sdk/contract/maintenance'
import { phoneWords } from '../input/flags'
import { readGivenFile } from '../output/files'
import { addNames } from '../output/names'
import { change, createVerb, download, list, read, send, type Verbs } from '../runtime/verbs'

export const verbs: Verbs = {
  list: list({
    summary: 'List the maintenance requests for your units, and under your leases as a tenant',
    input: MaintenanceQuery,
    examples: [
      'kiraya maintenance list --open true --priority urgent',
      'kiraya maintenance list --unit "White House/A-101" --sort -scheduled_at',
    ],
    columns: [
      'id',
      'created_at',
      'status',
      'priority',
      'category',
      'title',
      'unit',
      'scheduled_at',
      'cost',
      'agreement',
      'request_id',
    ],
    call: client => client.maintenance.list,
    name: addNames,
  }),
  get: read({
    summary: 'Show a maintenance request with its files and its history',
    records: ['maintenance-request'],
    call: client => client.maintenance.get,
    name: addNames,
  }),
  create: send({
    summary: 'Raise a maintenance request',
    input: NewMaintenanceRequest,
    examples: [
      'kiraya maintenance create --unit "White House/A-101" --category plumbing \\',
      '  --title "The kitchen tap leaks" --priority high',
      'kiraya maintenance create --unit 12 --category pest --title Ants    # as a tenant, by the number of the unit',
    ],
    result: MaintenanceRequestDetails,
    call: client => client.maintenance.create,
  }),
  update: change({
    summary: 'Change a maintenance request: its vendor, visit and cost, or its title while it is open',
    records: ['maintenance-request'],
    input: MaintenanceChange,
    words: {
      vendor_name: { alias: 'vendor' },
      vendor_phone: { ...phoneWords, alias: 'vendor-phone' },
      scheduled_at: { alias: 'visit', description: 'when they come, such as 2026-12-05T10:00:00+05:30' },
    },
    examples: [
      'kiraya maintenance update 7 --vendor "Ravi Plumbers" --vendor-phone 9123456780 \\',
      '  --visit 2026-12-05T10:00:00+05:30',
      'kiraya maintenance update 7 --cost 850 --borne-by tenant',
    ],
    result: MaintenanceRequestDetails,
    call: client => client.maintenance.update,
  }),
  status: send({
    summary: 'Move a maintenance request to another state; resolved charges what the tenant bears',
    records: ['maintenance-request'],
    input: MaintenanceStatusInput,
    examples: ['kiraya maintenance status 7 --status resolved --comment "New washer"'],
    result: MaintenanceRequestDetails,
    call: client => client.maintenance.status,
  }),
  comments: list({
    summary: 'List the comments on a maintenance request',
    records: ['maintenance-request'],
    input: MaintenanceCommentQuery,
    columns: ['id', 'created_at', 'created_by', 'text', 'is_internal', 'comment_id'],
    call: client => client.maintenance.comments,
    name: addNames,
  }),
  comment: send({
    summary: 'Comment on a maintenance request',
    records: ['maintenance-request'],
    input: NewMaintenanceComment,
    words: { is_internal: { kind: 'switch', alias: 'internal' } },
    examples: ['kiraya maintenance comment 7 --text "The tenant is away until Friday" --internal'],
    result: MaintenanceComment,
    call: client => client.maintenance.comment,
  }),
  attach: createVerb(
    {
      summary: 'Attach a file of at most 5 MiB to a maintenance request',
      records: ['maintenance-request', 'file'],
      examples: ['kiraya maintenance attach 7 tap.jpg'],
      result: MaintenanceAttachment,
    },
    async (context, [id, file]) => {
      const bytes = await readGivenFile(String(file))
      const { maintenance } = await context.client()
      context.show(await maintenance.attach(id, bytes))
    },
  ),
  download: download({
    summary: 'Save a picture (WebP) or a PDF of a maintenance request',
    records: ['maintenance-request', 'attachment'],
    file: 'maintenance-<id>.<type>',
    call: client => client.maintenance.download,
  }),
  detach: send({
    summary: 'Remove a file that you attached to a maintenance request',
    records: ['maintenance-request', 'attachment'],
    confirm: named => `Remove the attachment ${named}, for good`,
    result: Message,
    call: client => client.maintenance.detach,
  }),
}
