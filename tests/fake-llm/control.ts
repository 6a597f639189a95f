import type { IncomingMessage, ServerResponse } from 'node:http'
import { z } from 'zod'
import { Behaviour, Settings } from './behaviour.ts'
import type { RecordedRequest } from './recorded-requests.ts'
import { readJson, sendJson } from './replies.ts'
import type { ScriptedLlm } from './scripted-llm.ts'

const Steps = z.array(
  z.intersection(Behaviour, z.object({ times: z.number().optional(), when: z.string().optional() })),
)

const Transcript = z.object({ sha256: z.string().regex(/^[0-9a-f]{64}$/), text: z.string() })

/** The control API under `/control`, for people and for tests in another process. */
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
    case 'POST /control/transcripts': {
      const { sha256, text } = Transcript.parse(await readJson(request))
      model.transcripts.set(sha256, text)
      return sendJson(response, 200, {})
    }
    case 'POST /control/reset':
      model.reset()
      return sendJson(response, 200, {})
    case 'GET /control/counts':
      return sendJson(response, 200, {
        ...model.records.counts(),
        most_at_once: model.records.maxConcurrent,
        billed_twice: model.records.billedTwice(),
      })
    case 'GET /control/requests':
      return sendJson(response, 200, model.requests.map(describeRequest))
    case 'GET /v1/models':
      return sendJson(response, 200, {
        object: 'list',
        data: [{ id: model.settings.model ?? 'fake', object: 'model' }],
      })
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
