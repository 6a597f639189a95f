import { afterAll } from 'vitest'
import { lateBound } from './late-bound.ts'
import { openProduct, type Product } from './product.ts'
import { type ProductServer, startServer } from './product-server.ts'
import { journey } from './shared.ts'

/** Shared by journeys: give your people and courses names of their own (`registerPerson`), and look only at them. */
export function useProduct(): Product {
  const { value, bind } = lateBound<Product>()
  let product: Product | undefined
  journey.beforeAll(async ({ shared }) => {
    product = await openProduct(await shared.server(), await shared.browser())
    bind(product)
  })
  afterAll(() => product?.close())
  return value
}

export interface OwnProduct<S extends ProductServer = ProductServer> extends Product {
  server: S
}

/** For journeys that change the school's settings or stop the product. */
export function useOwnProduct(environment?: Record<string, string>): OwnProduct
export function useOwnProduct<S extends ProductServer>(
  environment: Record<string, string>,
  start: (environment: Record<string, string>) => Promise<S>,
): OwnProduct<S>
export function useOwnProduct(
  environment: Record<string, string> = {},
  start: (environment: Record<string, string>) => Promise<ProductServer> = startServer,
): OwnProduct {
  const { value, bind } = lateBound<OwnProduct>()
  let server: ProductServer | undefined
  let product: Product | undefined
  journey.beforeAll(async ({ shared }) => {
    server = await start(environment)
    product = await openProduct(server, await shared.browser())
    bind({ ...product, server })
  })
  afterAll(async () => {
    await product?.close()
    await server?.stop()
  })
  return value
}
