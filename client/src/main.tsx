import './lib/zod-without-eval.ts'
import './theme/styles.css'
import { MantineProvider } from '@mantine/core'
import { StrictMode } from 'react'
import { createRoot } from 'react-dom/client'
import { RouterProvider } from 'react-router-dom'
import { SWRConfig } from 'swr'
import { AppErrorBoundary } from './errors/AppErrorBoundary.tsx'
import { watchGlobalErrors } from './errors/global-errors.ts'
import { ToastArea } from './layout/ToastArea.tsx'
import { SessionProvider } from './lib/session.tsx'
import { swrOptions } from './lib/swr-options.ts'
import { router } from './router.tsx'
import { cssVariables, theme } from './theme/theme.ts'

watchGlobalErrors()

const root = document.getElementById('root')
if (root) {
  createRoot(root).render(
    <StrictMode>
      <MantineProvider theme={theme} cssVariablesResolver={cssVariables} defaultColorScheme="auto">
        <ToastArea />
        <AppErrorBoundary>
          <SWRConfig value={swrOptions}>
            <SessionProvider>
              <RouterProvider router={router} />
            </SessionProvider>
          </SWRConfig>
        </AppErrorBoundary>
      </MantineProvider>
    </StrictMode>,
  )
}
