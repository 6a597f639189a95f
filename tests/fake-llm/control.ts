import type { IncomingMessage, ServerResponse } from 'node:http'
import { z } from 'zod'
import { Behaviour, Settings } from './behaviour.ts'
import type { RecordedRequest } from './recorded-requests.ts'
import { readJson, sendJson } from './replies.ts'
import type { ScriptedLlm } from './scripted-llm.ts'

const Steps = z.array(
  z.intersection(Behaviour, z.object({ times: z.number().optional(), when: z.string().optional() })),
)

export async function handleControlRequest(
  model: ScriptedLlm,
  path: string,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  switch (`${request.method} ${path}`) {
    case 'POST /control/script':
      model.script(...Steps.parse(await readJson(request)))
      return sendJson(response, 200, { steps: model.steps })
    case 'POST /control/settings':
      Object.assign(model.settings, Settings.partial().parse(await readJson(request)))
      return sendJson(response, 200, model.settings)
    case 'GET /control/counts':
      return sendJson(response, 200, {
        ...model.records.counts(),
        most_at_once: model.records.maxConcurrent,
        billed_twice: model.records.billedTwice(),
      })
    case 'GET /control/requests':
      return sendJson(response, 200, model.requests.map(describeRequest))
    default:
      return sendJson(response, 404, {
        error: {
          message: `The fake LLM has no endpoint ${request.method} ${path}.`,
          type: 'fake',
          code: 'not_found',
        },
      })
  }
}

/** Without image data and API key. */
function describeRequest({ asked, key: _, ...record }: RecordedRequest) {
  return { ...record, asked: { ...asked, pictures: asked.pictures.map(({ sha256 }) => sha256) } }
}
