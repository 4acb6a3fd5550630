import { Module } from 'perch-mcp';
import { BookTableTool } from './book-table-tool';
import { MenuTools } from './menu-tools';
import { Reservations } from './reservations';

@Module({ providers: [Reservations, BookTableTool, MenuTools] })
export class AppModule {}
