import { context, propagation, trace } from '@opentelemetry/api'

interface TracingOptions {
  version: string
  role: string
  /** The share of requests that is traced, 0 to 1. */
  share: number
}

/**
 * Sends what this process does to the collector that OTEL_EXPORTER_OTLP_ENDPOINT names. Once for a process; a collector that does not
 * answer loses spans and delays nothing.
 */
export async function startTracing({ version, role, share }: TracingOptions): Promise<{ stop(): Promise<void> }> {
  // Only where it is used: it takes a while to load.
  const [sdk, { OTLPTraceExporter }, resources, { W3CTraceContextPropagator }, { AsyncLocalStorageContextManager }] =
    await Promise.all([
      import('@opentelemetry/sdk-trace'),
      import('@opentelemetry/exporter-trace-otlp-http'),
      import('@opentelemetry/resources'),
      import('@opentelemetry/core'),
      import('@opentelemetry/context-async-hooks'),
    ])
  const { envDetector, detectResources, resourceFromAttributes, serviceInstanceIdDetector } = resources
  const own = resourceFromAttributes({ 'service.name': 'assay', 'service.version': version, 'assay.role': role })
  const provider = new sdk.TracerProvider({
    // What the environment says of the service wins.
    resource: own.merge(detectResources({ detectors: [serviceInstanceIdDetector, envDetector] })),
    sampler: new sdk.ParentBasedSampler({ root: new sdk.TraceIdRatioBasedSampler(share) }),
    spanProcessors: [new sdk.BatchSpanProcessor({ exporter: new OTLPTraceExporter() })],
  })
  context.setGlobalContextManager(new AsyncLocalStorageContextManager().enable())
  propagation.setGlobalPropagator(new W3CTraceContextPropagator())
  trace.setGlobalTracerProvider(provider)
  return {
    async stop() {
      // Sends what is left, as far as the collector answers.
      await provider.shutdown().catch(() => {})
      for (const api of [trace, propagation, context]) api.disable()
    },
  }
}
