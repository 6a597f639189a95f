import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http'
import { setTimeout as sleep } from 'node:timers/promises'
import { z } from 'zod'
import { composeAnswer } from './answers/compose-answer.ts'
import { Behaviour, readJson, Settings, sendJson, sendSlowly } from './behaviour.ts'
import { anthropicProtocol } from './protocols/protocol-anthropic.ts'
import { googleProtocol } from './protocols/protocol-google.ts'
import { openAiChatProtocol } from './protocols/protocol-openai-chat.ts'
import { openAiResponsesProtocol } from './protocols/protocol-openai-responses.ts'
import type { Protocol, ProtocolError, ReceivedRequest, RecordedRequest, RequestImage } from './received-request.ts'
import type { ScriptedLlm } from './scripted-llm.ts'

const Steps = z.array(
  z.intersection(Behaviour, z.object({ times: z.number().optional(), when: z.string().optional() })),
)

async function handleControlRequest(
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
        error: { message: `The fake LLM has no endpoint ${request.method} ${path}.`, type: 'fake', code: 'not_found' },
      })
  }
}

function describeRequest({ asked, key: _, ...record }: RecordedRequest) {
  return { ...record, asked: { ...asked, pictures: asked.pictures.map(({ sha256 }) => sha256) } }
}

const protocols: readonly Protocol[] = [openAiChatProtocol, openAiResponsesProtocol, anthropicProtocol, googleProtocol]

export function createRequestHandler(model: ScriptedLlm): RequestListener {
  /** Including those in progress. */
  const known = new Map<string, Promise<string>>()

  return async (request, response) => {
    const path = new URL(request.url ?? '/', 'http://fake').pathname
    try {
      const wire = request.method === 'POST' && protocols.find(({ owns }) => owns(path))
      if (!wire) return await handleControlRequest(model, path, request, response)
      await answer(wire, path, request, response)
    } catch (error) {
      const message = error instanceof Error ? error.message : String(error)
      if (!response.headersSent)
        sendJson(response, 400, { error: { message: `The fake LLM: ${message}`, type: 'fake', code: 'fake' } })
    }
  }

  async function answer(
    wire: Protocol,
    path: string,
    request: IncomingMessage,
    response: ServerResponse,
  ): Promise<void> {
    const asked = wire.read(await readJson(request), path)
    const sent = request.headers[wire.keyHeader]
    const key = typeof sent === 'string' ? sent.replace(/^Bearer /, '') : null
    const idempotencyKey = request.headers['idempotency-key']
    const record = model.records.add({
      asked,
      key,
      idempotencyKey: typeof idempotencyKey === 'string' ? idempotencyKey : null,
      at: Date.now(),
    })
    model.records.concurrent++
    model.records.maxConcurrent = Math.max(model.records.maxConcurrent, model.records.concurrent)
    response.once('close', () => {
      model.records.concurrent--
      record.abandoned = !response.writableFinished
    })
    const error = errorBySettings(asked, key)
    if (error) return sendError(wire, error, {}, record, response)
    await behave(wire, model.nextBehaviour(asked), record, response)
  }

  function errorBySettings(asked: ReceivedRequest, key: string | null): ProtocolError | null {
    const { settings } = model
    if (settings.key !== null && key !== settings.key)
      return { status: 401, message: 'Invalid API key.', code: 'invalid_api_key' }
    if (settings.model !== null && asked.model !== settings.model)
      return { status: 404, message: `The model \`${asked.model}\` does not exist.`, code: 'model_not_found' }
    if (!settings.takesSchema && asked.schema)
      return { status: 400, message: 'response_format: json_schema is not supported.', code: 'invalid_request_error' }
    if (!settings.takesPictures && asked.pictures.length > 0)
      return { status: 400, message: 'This model does not support image input.', code: 'invalid_request_error' }
    return null
  }

  async function behave(
    wire: Protocol,
    behaviour: Behaviour,
    record: RecordedRequest,
    response: ServerResponse,
  ): Promise<void> {
    switch (behaviour.do) {
      case 'stall':
        record.status = 0
        return
      case 'error': {
        const { headers, body } = behaviour
        if (body === undefined) return sendError(wire, behaviour, headers, record, response)
        record.status = behaviour.status
        response.writeHead(behaviour.status, headers).end(body)
        return
      }
      case 'echo_key': {
        const message = `Your request had Authorization: Bearer ${record.key}, key=${record.key}.`
        return sendError(wire, { status: behaviour.status, message, code: 'echo' }, {}, record, response)
      }
      case 'web_page':
        record.status = 200
        response.writeHead(200, { 'content-type': 'text/html' }).end('<!doctype html><title>It works</title>')
        return
      case 'garbage':
        record.status = 200
        response.writeHead(200, { 'content-type': 'application/json' }).end('{"id": "x", "cho')
        return
      case 'hang_up':
        if (behaviour.after === 'nothing') {
          record.status = 0
          response.destroy()
          return
        }
    }
    const body = await answerOnce(wire, behaviour, record)
    if (behaviour.do === 'hang_up') {
      record.status = 0
      response.writeHead(200, { 'content-type': 'application/json', 'content-length': Buffer.byteLength(body) })
      response.write(body.slice(0, body.length / 2))
      // So that the first half is sent before the connection ends.
      setTimeout(() => response.destroy(), 20)
      return
    }
    record.status = response.destroyed ? 0 : 200
    if (behaviour.do === 'slow') return sendSlowly(response, body, behaviour)
    sendJson(response, 200, body)
  }

  /** Even if the client has disconnected, as providers do. */
  async function answerOnce(wire: Protocol, behaviour: Behaviour, record: RecordedRequest): Promise<string> {
    const key = model.settings.idempotency ? record.idempotencyKey : null
    const before = key === null ? undefined : known.get(key)
    if (before) {
      record.replayed = true
      return before
    }
    const ready = compose(wire, behaviour, record)
    if (key !== null) known.set(key, ready)
    return ready
  }

  async function compose(wire: Protocol, behaviour: Behaviour, record: RecordedRequest): Promise<string> {
    const { asked } = record
    if (model.settings.latencyMs > 0) await sleep(model.settings.latencyMs)
    await model.untilAllowed()
    const texts = new Map<string, string>()
    for (const picture of asked.pictures) texts.set(picture.sha256, await model.readImage(picture))
    const read = ({ sha256 }: RequestImage) => texts.get(sha256) ?? ''
    const content = composeAnswer(asked, behaviour, model.settings, read, model.answerers)
    const words = [asked.system, ...asked.texts].join('').length
    const input = Math.ceil(words / 4) + 1_000 * asked.pictures.length
    const output = Math.ceil(content.text.length / 4)
    Object.assign(record, { billed: true, answer: content.text, input_tokens: input, output_tokens: output })
    return JSON.stringify(wire.answer({ ...content, usage: model.settings.counts ? { input, output } : null }, asked))
  }
}

function sendError(
  wire: Protocol,
  error: ProtocolError,
  headers: Record<string, string>,
  record: RecordedRequest,
  response: ServerResponse,
): void {
  record.status = error.status
  sendJson(response, error.status, wire.error(error), headers)
}
