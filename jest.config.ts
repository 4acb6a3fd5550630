import type { Config } from 'jest';

const config: Config = {
  testEnvironment: 'node',
  roots: ['<rootDir>/test'],
  globalSetup: '<rootDir>/test/support/global-setup.ts',
  coverageProvider: 'v8',
  // Tests that start processes share the machine with each other; none waits for time to pass.
  testTimeout: 60_000,
  setupFiles: ['reflect-metadata'],
  setupFilesAfterEnv: ['<rootDir>/test/support/spec/watch-messages.ts'],
  moduleNameMapper: {
    '^perch-mcp$': '<rootDir>/src/index.ts',
    '^perch-mcp/stdio$': '<rootDir>/src/stdio.ts',
    '^perch-mcp/testing$': '<rootDir>/src/testing/index.ts',
    '^perch-mcp/jwt$': '<rootDir>/src/jwt/index.ts',
  },
  transform: { '^.+\\.ts$': ['ts-jest', { tsconfig: '<rootDir>/tsconfig.test.json' }] },
};

export default config;
