import { MantineProvider } from '@mantine/core'
import { render } from '@testing-library/react'
import { createMemoryRouter, type RouteObject, RouterProvider } from 'react-router-dom'
import { SWRConfig } from 'swr'
import { ToastArea } from '../layout/ToastArea.tsx'
import { SessionProvider } from '../lib/session/session.tsx'
import { routes } from '../router.tsx'
import { cssVariablesOf, theme } from '../theme/theme.ts'
import { themeConfig } from '../theme/theme-config.ts'

/** The whole program at an address, or only the given pages of it, with a cache of its own. */
export function renderApp(path: string, pages: RouteObject[] = routes) {
  const router = createMemoryRouter(pages, { initialEntries: [path] })
  const view = render(
    <MantineProvider theme={theme} cssVariablesResolver={cssVariablesOf(themeConfig)} env="test">
      <ToastArea />
      <SWRConfig value={{ provider: () => new Map(), shouldRetryOnError: false, dedupingInterval: 0 }}>
        <SessionProvider>
          <RouterProvider router={router} />
        </SessionProvider>
      </SWRConfig>
    </MantineProvider>,
  )
  const address = () => router.state.location.pathname + router.state.location.search
  return { ...view, router, address }
}
