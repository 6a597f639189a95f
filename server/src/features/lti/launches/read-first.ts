import type { LaunchSession } from '@assay/shared/lti/lti.ts'
import { parseJson } from '@assay/shared/rules/parse-json.ts'
import type { Express } from 'express'
import { dispatch } from '../../../lib/http/dispatch.ts'

/** Leaves out calls that fail: the page asks again, and says why. */
export type ReadFirst = (token: string, paths: readonly string[]) => Promise<LaunchSession['first_replies']>

export const createReadFirst =
  (app: Express): ReadFirst =>
  async (token, paths) => {
    const headers = { authorization: `Bearer ${token}` }
    const replies = await Promise.allSettled(paths.map((path) => dispatch(app, { path: `/api/v1${path}`, headers })))
    return replies.flatMap((reply, i) => {
      const path = paths[i]
      if (path === undefined || reply.status === 'rejected' || reply.value.status !== 200) return []
      const { headers, body } = reply.value
      if (!String(headers['content-type']).startsWith('application/json')) return []
      const total = headers['x-total-count']
      return { path, total: total === undefined ? null : Number(total), body: parseJson(body) }
    })
  }
