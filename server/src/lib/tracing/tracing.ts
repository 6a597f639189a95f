import {
  type Attributes,
  type Context,
  context,
  propagation,
  ROOT_CONTEXT,
  type Span,
  SpanKind,
  SpanStatusCode,
  trace,
} from '@opentelemetry/api'

export type { Attributes, Span }
export { SpanKind, SpanStatusCode }

/** Does nothing, at hardly any cost, unless `startTracing` was called. */
const tracer = () => trace.getTracer('assay')

/** What the running code does, as a W3C `traceparent`, for what goes on elsewhere; absent where nothing is traced. */
export function currentTrace(): string | undefined {
  const carrier: { traceparent?: string } = {}
  propagation.inject(context.active(), carrier)
  return carrier.traceparent
}

/** For log lines; absent where nothing is traced. */
export function currentTraceId(): string | undefined {
  const ids = trace.getSpanContext(context.active())
  return ids && trace.isSpanContextValid(ids) ? ids.traceId : undefined
}

const contextOf = (traceparent: string | undefined): Context =>
  traceparent === undefined ? ROOT_CONTEXT : propagation.extract(ROOT_CONTEXT, { traceparent })

interface SpanOptions {
  kind?: SpanKind
  /** Numbers, codes and our own names: never what people wrote, nor who they are. */
  attributes?: Attributes
}

/** Measures work as part of what the running code does. A failure is noted by its kind, without its message, and thrown on. */
export function inSpan<T>(name: string, options: SpanOptions, work: (span: Span) => Promise<T>): Promise<T> {
  return tracer().startActiveSpan(name, options, async (span) => {
    try {
      return await work(span)
    } catch (error) {
      span.setStatus({ code: SpanStatusCode.ERROR })
      span.setAttribute('error.type', error instanceof Error ? error.name : 'unknown')
      throw error
    } finally {
      span.end()
    }
  })
}

/** Measures a request to another server, of which the trace tells the host alone; `statusOf` its answer. */
export function inClientSpan<T>(
  { method, host }: { method: string; host: string },
  statusOf: (reply: T) => number,
  send: () => Promise<T>,
): Promise<T> {
  const attributes = { 'http.request.method': method, 'server.address': host }
  return inSpan(`${method} ${host}`, { kind: SpanKind.CLIENT, attributes }, async (span) => {
    const reply = await send()
    span.setAttribute('http.response.status_code', statusOf(reply))
    if (statusOf(reply) >= 400) span.setStatus({ code: SpanStatusCode.ERROR })
    return reply
  })
}

/** The same for work that was asked for elsewhere, or by nobody. */
export function inSpanOf<T>(
  traceparent: string | undefined,
  name: string,
  options: SpanOptions,
  work: (span: Span) => Promise<T>,
): Promise<T> {
  return context.with(contextOf(traceparent), () => inSpan(name, options, work))
}

/** A span that its caller ends, and code that runs within it. */
export function startSpan(
  traceparent: string | undefined,
  name: string,
  options: SpanOptions,
): { span: Span; within<T>(work: () => T): T } {
  const parent = contextOf(traceparent)
  const span = tracer().startSpan(name, options, parent)
  return { span, within: (work) => context.with(trace.setSpan(parent, span), work) }
}
