import './lib/zod-without-eval.ts'
import './theme/styles.css'
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
import { ThemeRoot } from './theme/ThemeRoot.tsx'

watchGlobalErrors()

const root = document.getElementById('root')
if (root) {
  createRoot(root).render(
    <StrictMode>
      <ThemeRoot>
        <ToastArea />
        <AppErrorBoundary>
          <SWRConfig value={swrOptions}>
            <SessionProvider>
              <RouterProvider router={router} />
            </SessionProvider>
          </SWRConfig>
        </AppErrorBoundary>
      </ThemeRoot>
    </StrictMode>,
  )
}
