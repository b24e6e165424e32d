import { MODEL_TENANCY } from '../domain/rent-law'
import type { Errors, Results, Warnings } from './words'

const notice = MODEL_TENANCY.revision_notice_months

export const errors = {
  revision_decided: ({ status }: { status: string }) => [
    `This rent was ${status} already`,
    `इस किराये पर फ़ैसला हो चुका है: ${status}`,
  ],
  revision_exists: ({ date }: { date: string }) => [
    `must not be ${date}: there is a rent from that day`,
    `में ${date} नहीं हो सकता: उस दिन से एक किराया तय है`,
  ],
  revision_not_found: ['Revision of the rent not found', 'किराये का बदलाव नहीं मिला'],
  revision_outside_lease: ({ from, to }: { from: string; to: string }) => [
    `must be from ${from} to ${to}`,
    `में ${from} से ${to} तक की तारीख दें`,
  ],
} satisfies Errors

export const results = {
  revision_accepted: ['The new rent was accepted', 'नया किराया मान लिया गया है'],
  revision_declined: ['The new rent was declined', 'नया किराया नहीं माना गया है'],
  revision_proposed: ['The new rent was proposed', 'नए किराये का प्रस्ताव रख दिया गया है'],
  revision_withdrawn: ['The proposed rent was withdrawn', 'नए किराये का प्रस्ताव वापस ले लिया गया है'],
  revisions: ['Revisions of the rent', 'किराये के बदलाव'],
} satisfies Results

export const warnings = {
  revision_notice_short: [
    `The new rent comes with less than ${notice} months' notice, which the Model Tenancy Act asks for, where a state has adopted it`,
    `नए किराये की सूचना ${notice} महीने से कम समय पहले दी गई है: जिन राज्यों में मॉडल किरायेदारी अधिनियम लागू है, वहाँ इतना समय देना होता है`,
  ],
} satisfies Warnings
