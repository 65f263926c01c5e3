// What is used of the protocol's SDK, in one place: the build puts it into one file, so that nobody has to install it.
export {
  createMcpHandler,
  isLegacyRequest,
  Server,
  WebStandardStreamableHTTPServerTransport,
  type ServerContext,
} from '@modelcontextprotocol/server';
export { serveStdio, StdioServerTransport } from '@modelcontextprotocol/server/stdio';
