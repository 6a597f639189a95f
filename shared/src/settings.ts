import { z } from 'zod'
import { defineEndpoint } from './endpoint.ts'

/** What anyone may know of how this Assay is set up. */
export const getPublicSettings = defineEndpoint({
  method: 'get',
  path: '/settings/public',
  summary: 'What the public pages need to know of how this Assay is set up',
  access: 'public',
  reply: z.object({
    /** Where “Contact Support” writes to; null where nobody is named. */
    support_email: z.string().nullable(),
    /** Who may register as an instructor. */
    instructor_registration: z.enum(['open', 'approval', 'closed']),
  }),
})
