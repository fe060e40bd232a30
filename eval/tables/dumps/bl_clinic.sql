--
-- PostgreSQL database dump
--

\restrict 4ZXW3pFqwz6kvIXGx7qHn2sKcJTzs66safdi274dDYSbKuYfhJ2ONGwsbbfGd6P

-- Dumped from database version 15.18 (Debian 15.18-0+deb12u1)
-- Dumped by pg_dump version 15.18 (Debian 15.18-0+deb12u1)

SET statement_timeout = 0;
SET lock_timeout = 0;
SET idle_in_transaction_session_timeout = 0;
SET client_encoding = 'UTF8';
SET standard_conforming_strings = on;
SELECT pg_catalog.set_config('search_path', '', false);
SET check_function_bodies = false;
SET xmloption = content;
SET client_min_messages = warning;
SET row_security = off;

SET default_tablespace = '';

SET default_table_access_method = heap;

--
-- Name: invoices; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public.invoices (
    invoice_id integer NOT NULL,
    visit_id integer NOT NULL,
    issued_on date NOT NULL,
    amount numeric(8,2) NOT NULL,
    paid_on date,
    payment_method text
);


--
-- Name: owners; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public.owners (
    owner_id integer NOT NULL,
    full_name text NOT NULL,
    phone text NOT NULL,
    email text,
    town text NOT NULL,
    registered_on date NOT NULL
);


--
-- Name: pets; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public.pets (
    pet_id integer NOT NULL,
    owner_id integer NOT NULL,
    name text NOT NULL,
    species text NOT NULL,
    breed text NOT NULL,
    sex character(1) NOT NULL,
    birth_date date NOT NULL,
    weight_kg numeric(6,2) NOT NULL,
    neutered boolean NOT NULL
);


--
-- Name: vaccinations; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public.vaccinations (
    vaccination_id integer NOT NULL,
    pet_id integer NOT NULL,
    vaccine text NOT NULL,
    given_on date NOT NULL,
    next_due date NOT NULL,
    batch_no text NOT NULL
);


--
-- Name: vets; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public.vets (
    vet_id integer NOT NULL,
    full_name text NOT NULL,
    specialty text NOT NULL,
    hired_on date NOT NULL,
    works_weekends boolean NOT NULL
);


--
-- Name: visits; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public.visits (
    visit_id integer NOT NULL,
    pet_id integer NOT NULL,
    vet_id integer NOT NULL,
    visit_date date NOT NULL,
    reason text NOT NULL,
    diagnosis text NOT NULL,
    fee numeric(8,2) NOT NULL,
    follow_up_on date
);


--
-- Data for Name: invoices; Type: TABLE DATA; Schema: public; Owner: -
--

COPY public.invoices (invoice_id, visit_id, issued_on, amount, paid_on, payment_method) FROM stdin;
1001	1	2025-01-02	50.00	2025-02-01	insurance
1002	2	2025-01-03	69.25	2025-02-02	card
1003	3	2025-01-06	101.25	2025-01-13	insurance
1004	4	2025-01-07	70.00	2025-01-07	cash
1005	5	2025-01-11	271.50	2025-01-25	card
1006	6	2025-01-14	58.00	\N	\N
1007	7	2025-01-16	47.50	2025-01-19	insurance
1008	8	2025-01-17	76.50	2025-01-24	cash
1009	9	2025-01-24	197.70	2025-01-24	card
1010	10	2025-01-25	89.50	2025-03-11	card
1011	11	2025-01-27	55.00	2025-01-27	card
1012	12	2025-02-06	47.00	2025-02-06	bank transfer
1013	13	2025-02-07	78.70	2025-02-07	insurance
1014	14	2025-02-12	74.75	2025-02-26	insurance
1015	15	2025-02-12	43.00	2025-03-14	cash
1016	16	2025-02-13	64.50	2025-02-13	card
1017	17	2025-02-14	425.50	2025-02-14	card
1018	18	2025-02-15	216.70	2025-02-15	bank transfer
1019	19	2025-02-27	79.50	2025-02-27	card
1020	20	2025-02-27	88.50	2025-02-27	card
1021	21	2025-03-01	65.50	2025-03-01	card
1022	22	2025-03-03	74.50	2025-03-06	card
1023	23	2025-03-07	59.50	2025-03-21	cash
1024	24	2025-03-11	93.50	2025-03-11	cash
1025	27	2025-03-18	200.50	2025-03-18	card
1026	28	2025-03-19	66.75	2025-03-22	cash
1027	29	2025-03-26	55.50	2025-03-26	bank transfer
1028	30	2025-03-27	190.50	2025-04-10	card
1029	31	2025-03-28	66.00	2025-03-28	cash
1030	32	2025-04-04	76.50	2025-04-04	card
1031	33	2025-04-05	62.50	2025-04-19	insurance
1032	34	2025-04-19	131.00	\N	\N
1033	35	2025-04-23	91.00	2025-04-23	bank transfer
1034	37	2025-04-25	64.50	2025-04-25	card
1035	38	2025-04-28	46.00	2025-04-28	card
1036	39	2025-04-29	59.50	2025-04-29	bank transfer
1037	41	2025-05-09	109.50	2025-05-23	cash
1038	42	2025-05-10	190.00	2025-05-13	bank transfer
1039	43	2025-05-20	66.50	2025-05-20	card
1040	44	2025-05-21	73.00	2025-05-21	card
1041	45	2025-05-29	80.20	2025-05-29	card
1042	46	2025-06-02	78.50	2025-07-02	cash
1043	47	2025-06-04	105.25	2025-06-04	card
1044	48	2025-06-11	47.00	2025-06-11	insurance
1045	49	2025-06-18	158.50	\N	\N
1046	50	2025-06-18	33.00	2025-06-18	card
1047	51	2025-06-20	64.25	2025-06-23	insurance
1048	52	2025-06-27	91.25	2025-06-27	card
1049	53	2025-06-27	84.50	2025-08-11	card
1050	54	2025-06-30	45.50	2025-07-07	bank transfer
1051	55	2025-07-04	61.50	2025-07-04	insurance
1052	56	2025-07-05	810.25	\N	\N
1053	57	2025-07-11	80.50	2025-07-11	cash
1054	58	2025-07-18	136.50	2025-07-18	card
1055	59	2025-07-25	133.25	\N	\N
1056	60	2025-07-25	125.25	\N	\N
1057	61	2025-07-29	84.00	2025-07-29	insurance
1058	62	2025-08-01	97.00	2025-08-08	bank transfer
1059	63	2025-08-06	48.00	2025-08-06	card
1060	64	2025-08-08	211.70	2025-08-08	cash
1061	65	2025-08-18	63.00	2025-08-18	bank transfer
1062	66	2025-08-21	47.00	2025-08-21	card
1063	67	2025-08-23	163.50	2025-08-23	card
1064	68	2025-08-26	76.50	2025-08-26	bank transfer
1065	69	2025-08-27	76.50	2025-08-27	bank transfer
1066	70	2025-09-01	66.50	2025-09-01	card
1067	71	2025-09-05	96.20	2025-09-08	cash
1068	72	2025-09-12	58.25	2025-09-12	card
1069	73	2025-09-15	85.00	2025-09-15	card
1070	74	2025-09-15	72.25	2025-09-15	bank transfer
1071	75	2025-09-18	75.75	2025-09-25	card
1072	76	2025-09-19	65.00	2025-09-19	card
1073	77	2025-09-23	167.00	2025-09-30	card
1074	78	2025-09-24	69.75	2025-09-24	card
1075	79	2025-09-29	63.00	2025-10-02	cash
1076	80	2025-10-03	60.50	2025-10-06	cash
1077	81	2025-10-04	125.50	2025-10-04	insurance
1078	82	2025-10-08	45.50	2025-10-08	card
1079	83	2025-10-08	64.50	\N	\N
1080	84	2025-10-10	340.00	2025-10-24	insurance
1081	85	2025-10-11	61.00	2025-10-25	cash
1082	86	2025-10-16	217.50	2025-10-16	bank transfer
1083	87	2025-10-16	121.50	2025-10-16	card
1084	88	2025-10-18	83.50	2025-10-25	card
1085	89	2025-10-20	70.00	2025-10-20	bank transfer
1086	90	2025-10-21	76.50	2025-10-21	insurance
1087	91	2025-10-24	146.75	2025-10-24	bank transfer
1088	92	2025-10-24	66.50	2025-10-24	insurance
1089	93	2025-10-25	70.25	2025-12-09	card
1090	94	2025-10-27	70.00	2025-10-30	card
1091	95	2025-10-31	46.50	2025-11-03	card
1092	96	2025-10-31	76.00	2025-11-07	cash
1093	97	2025-11-07	57.25	2025-11-07	card
1094	98	2025-11-07	400.50	2025-11-07	insurance
1095	99	2025-11-10	59.50	2025-11-10	card
1096	100	2025-11-20	49.50	2025-11-23	insurance
1097	101	2025-11-21	54.50	2025-12-05	card
1098	102	2025-11-22	87.00	2025-11-22	bank transfer
1099	103	2025-12-02	223.25	2026-01-01	card
1100	104	2025-12-03	38.00	2025-12-03	insurance
1101	105	2025-12-05	91.00	2026-01-04	card
1102	106	2025-12-05	90.70	2025-12-05	insurance
1103	107	2025-12-09	176.50	2025-12-09	insurance
1104	108	2025-12-11	84.25	2025-12-11	card
1105	109	2025-12-12	58.50	2025-12-26	insurance
1106	110	2025-12-13	82.00	\N	\N
1107	111	2025-12-19	874.50	2026-02-02	card
1108	112	2025-12-25	95.00	2025-12-25	card
1109	113	2025-12-25	75.25	2025-12-25	card
1110	114	2025-12-29	83.75	2025-12-29	card
1111	115	2025-12-31	126.50	2025-12-31	bank transfer
1112	116	2026-01-01	128.00	2026-01-01	card
1113	117	2026-01-02	39.50	2026-01-02	card
1114	119	2026-01-07	99.50	2026-01-07	card
1115	120	2026-01-16	216.00	2026-01-16	card
1116	121	2026-01-17	39.50	2026-01-20	insurance
1117	122	2026-01-19	505.00	\N	\N
1118	123	2026-01-23	59.50	2026-01-23	card
1119	125	2026-01-27	42.00	2026-01-27	insurance
1120	126	2026-01-30	102.25	2026-02-13	bank transfer
1121	127	2026-01-30	197.00	2026-02-06	cash
1122	128	2026-01-30	57.00	2026-01-30	bank transfer
1123	129	2026-01-31	440.70	2026-01-31	card
1124	130	2026-02-02	149.00	2026-02-02	cash
1125	131	2026-02-02	66.00	2026-02-02	card
1126	132	2026-02-02	221.75	2026-02-09	insurance
1127	133	2026-02-11	74.00	2026-03-13	insurance
1128	134	2026-02-14	62.50	2026-02-21	insurance
1129	135	2026-02-19	358.00	2026-02-19	insurance
1130	136	2026-02-20	102.20	2026-03-22	card
1131	137	2026-02-23	72.50	2026-03-09	card
1132	138	2026-02-25	50.00	2026-02-25	insurance
1133	139	2026-02-27	191.00	2026-02-27	card
1134	140	2026-02-27	80.00	2026-02-27	bank transfer
1135	141	2026-03-04	53.00	2026-03-04	card
1136	142	2026-03-06	63.75	\N	\N
1137	143	2026-03-06	73.20	2026-03-06	card
1138	144	2026-03-11	89.00	2026-03-11	card
1139	145	2026-03-13	86.20	2026-03-20	card
1140	146	2026-03-14	51.75	2026-03-28	card
1141	147	2026-03-16	64.00	2026-03-16	card
1142	148	2026-03-17	66.00	\N	\N
1143	149	2026-03-19	64.50	\N	\N
1144	150	2026-03-20	59.50	2026-03-20	card
1145	151	2026-03-20	655.25	2026-04-19	insurance
1146	152	2026-03-20	59.50	2026-03-20	insurance
1147	153	2026-03-25	72.50	2026-04-01	card
1148	154	2026-03-27	51.75	2026-03-27	card
1149	155	2026-03-28	109.70	2026-03-28	cash
1150	156	2026-04-02	274.50	2026-04-09	card
1151	157	2026-04-03	103.00	2026-04-03	card
1152	158	2026-04-03	149.20	2026-04-03	insurance
1153	159	2026-04-04	100.50	2026-04-04	insurance
1154	160	2026-04-06	46.00	2026-04-06	card
1155	161	2026-04-13	55.00	2026-04-13	card
1156	162	2026-04-14	77.75	2026-05-14	card
1157	163	2026-04-15	46.50	2026-04-15	insurance
1158	164	2026-04-16	108.75	2026-04-16	card
1159	165	2026-04-17	71.25	2026-04-17	cash
1160	166	2026-04-17	89.20	2026-04-24	card
1161	167	2026-04-18	112.20	2026-04-18	card
1162	168	2026-04-25	99.00	2026-04-25	card
1163	169	2026-04-25	206.50	2026-04-25	cash
1164	170	2026-04-27	56.50	\N	\N
1165	171	2026-04-28	72.00	2026-05-01	card
1166	172	2026-04-29	76.75	2026-04-29	card
1167	173	2026-04-30	100.50	2026-04-30	insurance
1168	174	2026-05-01	57.50	2026-05-01	card
1169	175	2026-05-09	90.50	2026-05-09	card
1170	176	2026-05-11	761.25	2026-05-25	insurance
1171	177	2026-05-12	65.50	\N	\N
1172	178	2026-05-12	52.50	2026-05-12	bank transfer
1173	179	2026-05-13	109.70	2026-05-13	bank transfer
1174	180	2026-05-13	69.00	2026-05-13	card
1175	181	2026-05-15	45.00	2026-05-15	cash
1176	182	2026-05-15	61.00	2026-05-15	card
1177	183	2026-05-16	47.50	2026-05-16	cash
1178	184	2026-05-16	88.50	2026-05-16	insurance
1179	185	2026-05-18	54.00	2026-06-17	card
1180	186	2026-05-18	62.50	2026-07-02	insurance
1181	187	2026-05-20	72.20	\N	\N
1182	188	2026-05-23	78.00	2026-05-30	card
1183	189	2026-05-23	60.00	2026-06-22	card
1184	191	2026-05-25	45.50	2026-07-09	card
1185	192	2026-05-27	98.00	2026-05-30	insurance
1186	193	2026-05-28	89.00	2026-07-12	card
1187	194	2026-05-29	126.75	2026-05-29	bank transfer
1188	195	2026-05-30	79.70	2026-05-30	card
1189	196	2026-06-05	65.50	2026-06-05	card
1190	197	2026-06-08	768.00	2026-06-08	card
1191	198	2026-06-12	94.00	2026-06-12	bank transfer
1192	199	2026-06-12	66.50	2026-06-26	insurance
1193	200	2026-06-13	125.25	2026-06-13	card
1194	201	2026-06-16	96.20	2026-06-16	insurance
1195	202	2026-06-16	33.50	2026-06-16	card
1196	203	2026-06-17	31.50	2026-07-01	insurance
1197	204	2026-06-19	242.50	\N	\N
1198	206	2026-06-22	86.00	\N	\N
1199	207	2026-06-22	31.50	2026-06-22	bank transfer
1200	208	2026-06-25	192.50	2026-07-02	insurance
1201	209	2026-06-26	60.50	2026-06-26	card
1202	210	2026-06-26	102.00	2026-07-26	cash
1203	211	2026-06-26	60.50	\N	\N
1204	212	2026-06-27	135.70	2026-06-27	card
1205	213	2026-06-29	130.70	2026-06-29	cash
1206	215	2026-07-04	62.00	2026-07-07	card
1207	216	2026-07-14	108.70	2026-08-13	cash
1208	217	2026-07-14	74.50	2026-07-14	insurance
1209	218	2026-07-14	104.00	2026-07-14	insurance
1210	219	2026-07-15	70.75	2026-07-18	card
1211	220	2026-07-17	57.00	2026-07-17	card
1212	221	2026-07-17	121.50	2026-07-24	cash
1213	222	2026-07-20	72.50	2026-07-20	insurance
1214	223	2026-07-20	94.50	2026-07-20	card
1215	224	2026-07-22	52.50	2026-07-22	cash
1216	225	2026-07-24	80.70	2026-07-24	card
1217	226	2026-07-28	38.50	2026-07-28	card
1218	227	2026-07-28	58.25	2026-08-04	card
1219	228	2026-07-31	55.00	2026-07-31	card
1220	229	2026-08-04	37.00	2026-08-04	cash
1221	230	2026-08-04	31.00	2026-08-04	cash
1222	231	2026-08-05	59.50	2026-09-19	card
1223	232	2026-08-10	89.70	2026-08-10	bank transfer
1224	233	2026-08-13	198.75	\N	\N
1225	234	2026-08-13	127.20	2026-08-16	insurance
1226	235	2026-08-14	62.00	2026-08-14	cash
1227	236	2026-08-18	57.50	2026-08-18	insurance
1228	237	2026-08-18	92.50	2026-08-25	card
1229	238	2026-08-19	344.50	2026-08-26	card
1230	239	2026-08-20	100.00	2026-10-04	cash
1231	240	2026-08-21	188.00	2026-08-21	insurance
1232	241	2026-08-26	56.50	2026-08-26	insurance
1233	242	2026-08-26	622.00	2026-08-26	insurance
1234	243	2026-08-28	55.00	2026-10-12	bank transfer
1235	244	2026-08-31	82.50	2026-08-31	card
1236	245	2026-09-04	151.00	2026-09-04	cash
1237	246	2026-09-04	146.70	2026-10-04	bank transfer
1238	247	2026-09-07	48.00	2026-09-10	cash
1239	248	2026-09-09	186.50	2026-09-09	card
1240	249	2026-09-10	65.00	\N	\N
1241	250	2026-09-10	74.70	2026-09-17	card
1242	251	2026-09-11	907.75	2026-09-11	card
1243	252	2026-09-12	50.00	2026-09-12	bank transfer
1244	253	2026-09-12	97.70	2026-09-12	cash
1245	254	2026-09-14	275.50	2026-09-14	cash
1246	256	2026-09-17	102.50	2026-10-17	card
1247	257	2026-09-18	63.00	\N	\N
1248	258	2026-09-25	58.00	2026-09-25	card
1249	259	2026-09-26	54.00	\N	\N
1250	260	2026-09-26	43.00	2026-09-26	card
1251	261	2026-10-01	66.00	2026-10-08	card
1252	262	2026-10-01	83.00	\N	\N
1253	263	2026-10-01	292.50	\N	\N
1254	264	2026-10-02	87.70	2026-10-02	bank transfer
1255	265	2026-10-03	38.50	2026-10-03	bank transfer
1256	266	2026-10-06	156.50	2026-10-06	cash
1257	267	2026-10-07	323.00	\N	\N
1258	268	2026-10-07	103.20	\N	\N
1259	269	2026-10-08	50.00	\N	\N
1260	270	2026-10-09	68.00	\N	\N
1261	271	2026-10-16	64.50	2026-10-16	insurance
1262	272	2026-10-16	67.00	2026-10-16	bank transfer
1263	273	2026-10-16	171.50	2026-10-16	bank transfer
1264	274	2026-10-17	206.00	2026-10-17	card
1265	275	2026-10-19	113.25	2026-10-19	card
1266	276	2026-10-19	71.75	\N	\N
1267	277	2026-10-28	122.75	2026-10-31	card
1268	278	2026-10-28	123.20	2026-10-28	cash
1269	279	2026-10-30	84.50	\N	\N
1270	280	2026-11-03	67.50	2026-11-03	card
1271	281	2026-11-05	49.50	\N	\N
1272	282	2026-11-05	64.00	2026-11-05	card
1273	283	2026-11-06	41.00	\N	\N
1274	284	2026-11-06	100.20	2026-11-06	card
1275	285	2026-11-07	193.00	\N	\N
1276	286	2026-11-10	58.00	2026-11-10	insurance
1277	287	2026-11-12	86.50	\N	\N
1278	288	2026-11-12	57.50	2026-11-12	cash
1279	289	2026-11-14	76.75	\N	\N
1280	290	2026-11-16	80.25	2026-11-16	bank transfer
\.


--
-- Data for Name: owners; Type: TABLE DATA; Schema: public; Owner: -
--

COPY public.owners (owner_id, full_name, phone, email, town, registered_on) FROM stdin;
1	Patrick Farrow	01307 632262	patrick.farrow@fastpost.net	Harlow	2019-06-13
2	Verity Gallagher	01641 345369	verity.gallagher@fastpost.net	Millbrook	2022-07-10
3	Wendell Ingram	01618 679623	wendell.ingram@fastpost.net	Harlow	2019-06-29
4	Patrick Kettering	01226 756071	patrick.kettering@mailbox.org	Stonebridge	2026-07-23
5	Tamsin Gallagher	01644 160776	tamsin.gallagher@homemail.com	Ashford	2019-10-29
6	Celia Pemberton	01793 430412	\N	Ashford	2022-04-13
7	Aoife Farrow	01424 875539	aoife.farrow@mailbox.org	Kingsley	2022-06-15
8	Kirsten Dunmore	01238 154386	kirsten.dunmore@mailbox.org	Harlow	2024-08-12
9	Jonas Abernathy	01403 137130	jonas.abernathy@fastpost.net	Ashford	2022-10-22
10	Ellen Birch	01298 333001	ellen.birch@mailbox.org	Stonebridge	2024-12-26
11	Martha Gallagher	01952 839900	\N	Millbrook	2020-11-23
12	Mabel Lomax	01213 570897	mabel.lomax@mailbox.org	Millbrook	2020-10-28
13	Stuart Abernathy	01264 584689	stuart.abernathy@mailbox.org	Ashford	2019-04-08
14	Rosalind Nolan	01975 318681	rosalind.nolan@mailbox.org	Stonebridge	2024-12-24
15	Celia Nolan	01890 684299	celia.nolan@homemail.com	Millbrook	2021-08-18
16	Tamsin Lomax	01855 147567	tamsin.lomax@homemail.com	Kingsley	2021-02-08
17	Aoife Jessop	01767 554805	\N	Ashford	2019-08-14
18	Declan Pemberton	01824 434845	declan.pemberton@homemail.com	Stonebridge	2021-04-11
19	Celia Gallagher	01617 199679	celia.gallagher@homemail.com	Harlow	2019-07-16
20	Greta Kettering	01819 662813	\N	Kingsley	2021-06-20
21	Verity Holloway	01565 653969	verity.holloway@homemail.com	Stonebridge	2026-04-08
22	Greta Abernathy	01439 959610	\N	Ashford	2025-02-01
23	Jonas Dunmore	01519 374438	\N	Stonebridge	2020-04-18
24	Ulrich Gallagher	01529 141903	ulrich.gallagher@fastpost.net	Millbrook	2020-08-05
25	Verity Jessop	01201 909912	verity.jessop@mailbox.org	Ashford	2021-10-27
26	Greta Osgood	01202 538769	greta.osgood@homemail.com	Stonebridge	2026-05-05
27	Declan Coyle	01527 172478	declan.coyle@fastpost.net	Kingsley	2025-11-17
28	Verity Lomax	01911 624492	verity.lomax@fastpost.net	Ashford	2025-08-01
29	Hugo Gallagher	01742 707200	hugo.gallagher@mailbox.org	Millbrook	2022-11-14
30	Ulrich Holloway	01369 701305	ulrich.holloway@mailbox.org	Ashford	2023-03-15
31	Martha Kettering	01316 638149	martha.kettering@homemail.com	Kingsley	2022-04-16
32	Odette Abernathy	01304 701270	odette.abernathy@fastpost.net	Harlow	2019-10-13
33	Lionel Nolan	01466 580010	lionel.nolan@homemail.com	Stonebridge	2022-01-11
34	Patrick Nolan	01718 459965	\N	Stonebridge	2021-03-25
35	Declan Eastwick	01615 990131	declan.eastwick@homemail.com	Kingsley	2022-07-10
36	Celia Merriweather	01922 480113	\N	Harlow	2026-09-26
37	Ellen Osgood	01695 575447	\N	Stonebridge	2023-06-24
38	Stuart Birch	01224 988406	\N	Kingsley	2022-02-10
39	Kirsten Ingram	01293 644058	kirsten.ingram@homemail.com	Ashford	2020-06-23
40	Lionel Eastwick	01593 315738	lionel.eastwick@mailbox.org	Millbrook	2024-05-15
41	Francis Kettering	01456 295147	\N	Millbrook	2025-08-15
42	Ulrich Pemberton	01642 928033	ulrich.pemberton@homemail.com	Ashford	2025-03-14
43	Tamsin Pemberton	01745 575841	tamsin.pemberton@mailbox.org	Ashford	2020-06-29
44	Greta Birch	01684 452390	greta.birch@mailbox.org	Ashford	2025-12-29
45	Hugo Coyle	01368 255774	\N	Stonebridge	2022-08-08
46	Declan Holloway	01927 547071	declan.holloway@homemail.com	Ashford	2019-08-09
47	Aoife Lomax	01945 789125	\N	Ashford	2023-07-14
48	Bernard Jessop	01274 915495	bernard.jessop@fastpost.net	Millbrook	2023-10-18
49	Dominic Farrow	01210 718709	dominic.farrow@homemail.com	Harlow	2023-12-27
50	Jonas Nolan	01870 161456	jonas.nolan@homemail.com	Millbrook	2024-04-23
51	Kirsten Gallagher	01937 226002	kirsten.gallagher@mailbox.org	Ashford	2026-09-07
52	Patrick Osgood	01785 475557	patrick.osgood@mailbox.org	Stonebridge	2023-09-26
53	Imogen Eastwick	01826 131602	imogen.eastwick@mailbox.org	Ashford	2022-09-20
54	Ellen Ingram	01644 892301	ellen.ingram@homemail.com	Millbrook	2022-07-15
55	Jonas Jessop	01682 858508	jonas.jessop@mailbox.org	Stonebridge	2021-11-04
56	Martha Pemberton	01574 695188	\N	Harlow	2024-05-15
57	Mabel Eastwick	01965 319990	mabel.eastwick@homemail.com	Harlow	2021-10-29
58	Nigel Farrow	01282 464472	nigel.farrow@fastpost.net	Harlow	2026-02-04
59	Tamsin Abernathy	01969 494380	tamsin.abernathy@homemail.com	Ashford	2020-05-18
60	Patrick Eastwick	01320 862890	patrick.eastwick@homemail.com	Ashford	2025-12-04
61	Rosalind Farrow	01988 420786	rosalind.farrow@homemail.com	Ashford	2026-03-17
62	Bernard Abernathy	01937 703709	bernard.abernathy@homemail.com	Harlow	2024-08-11
63	Hugo Ingram	01640 806931	hugo.ingram@homemail.com	Kingsley	2023-11-03
64	Imogen Lomax	01353 491847	imogen.lomax@fastpost.net	Millbrook	2022-04-16
65	Wendell Lomax	01665 156971	\N	Kingsley	2019-06-14
66	Francis Holloway	01848 520509	francis.holloway@fastpost.net	Harlow	2026-10-09
67	Declan Birch	01453 969715	\N	Millbrook	2024-11-23
68	Ellen Pemberton	01806 827446	ellen.pemberton@mailbox.org	Stonebridge	2026-06-04
69	Greta Farrow	01385 401011	\N	Millbrook	2025-02-14
70	Hugo Abernathy	01377 534019	hugo.abernathy@fastpost.net	Millbrook	2024-05-21
71	Ulrich Nolan	01714 726367	ulrich.nolan@mailbox.org	Ashford	2026-08-06
72	Wendell Osgood	01763 200929	wendell.osgood@fastpost.net	Ashford	2019-10-09
73	Odette Birch	01246 607563	odette.birch@homemail.com	Harlow	2025-02-22
74	Lionel Jessop	01390 460799	\N	Millbrook	2023-12-22
75	Celia Eastwick	01314 517967	celia.eastwick@homemail.com	Harlow	2024-06-17
76	Greta Holloway	01922 633844	greta.holloway@mailbox.org	Ashford	2026-05-26
77	Ellen Abernathy	01832 489529	\N	Ashford	2026-03-16
78	Imogen Holloway	01683 173116	\N	Ashford	2022-12-10
79	Martha Dunmore	01549 114640	\N	Millbrook	2019-07-06
80	Martha Farrow	01640 604215	martha.farrow@fastpost.net	Ashford	2022-03-03
\.


--
-- Data for Name: pets; Type: TABLE DATA; Schema: public; Owner: -
--

COPY public.pets (pet_id, owner_id, name, species, breed, sex, birth_date, weight_kg, neutered) FROM stdin;
1	1	Gizmo	dog	Labrador	F	2022-04-08	29.85	f
2	1	Bramble	dog	Labrador	F	2017-02-17	33.44	t
3	2	Poppy	dog	Dachshund	M	2016-11-13	9.42	t
4	3	Mango	dog	Dachshund	M	2021-05-22	6.36	f
5	3	Cleo	cat	Maine Coon	F	2012-01-24	6.81	f
6	3	Biscuit	dog	Border Collie	M	2019-09-11	14.58	t
7	4	Biscuit	dog	Cocker Spaniel	F	2017-12-11	15.53	f
8	5	Rufus	dog	Cocker Spaniel	M	2021-11-14	14.04	f
9	6	Shadow	dog	Labrador	F	2012-03-27	35.90	f
10	6	Rufus	parrot	Cockatiel	M	2022-09-25	0.10	f
11	7	Biscuit	tortoise	Hermann	M	2017-02-25	1.94	f
12	7	Smudge	dog	Dachshund	F	2021-03-09	10.34	t
13	7	Willow	cat	Siamese	F	2020-12-14	3.75	t
14	8	Marmalade	dog	Mixed	F	2024-07-12	14.37	t
15	8	Moose	cat	Domestic Shorthair	F	2012-10-08	4.99	f
16	8	Coco	cat	Maine Coon	M	2017-09-17	5.56	f
17	9	Thistle	rabbit	Mini Lop	F	2016-01-07	1.71	f
18	10	Luna	parrot	African Grey	M	2021-10-03	0.42	f
19	10	Ziggy	rabbit	Mini Lop	M	2018-01-06	2.67	f
20	11	Coco	parrot	Cockatiel	M	2022-06-14	0.12	f
21	13	Rufus	cat	Ragdoll	F	2016-06-13	6.03	t
22	13	Socks	dog	Border Collie	F	2014-06-29	18.87	t
23	14	Bramble	cat	Siamese	F	2022-02-05	3.15	t
24	14	Marmalade	cat	Siamese	M	2012-10-05	3.34	t
25	15	Willow	dog	Beagle	F	2025-02-07	10.87	f
26	15	Pepper	dog	Cocker Spaniel	M	2014-02-26	12.47	f
27	16	Bramble	cat	Domestic Shorthair	F	2016-05-15	4.05	f
28	17	Bramble	dog	Beagle	F	2019-11-30	10.47	f
29	18	Dexter	dog	Border Collie	F	2016-06-16	15.62	t
30	18	Juno	cat	Siamese	M	2019-02-19	3.50	f
31	19	Bramble	cat	Ragdoll	F	2017-10-19	6.77	t
32	21	Socks	dog	Border Collie	M	2013-11-01	18.26	t
33	22	Marmalade	cat	Siamese	M	2019-03-28	3.92	f
34	22	Poppy	dog	Border Collie	M	2019-07-26	20.88	f
35	22	Luna	dog	Mixed	M	2019-11-21	22.66	f
36	23	Poppy	tortoise	Hermann	M	2022-05-28	1.99	f
37	23	Tofu	rabbit	Mini Lop	M	2018-01-07	1.72	f
38	24	Luna	cat	Maine Coon	F	2015-11-29	8.27	f
39	26	Dexter	dog	Border Collie	F	2012-02-01	14.93	t
40	27	Nala	dog	Dachshund	M	2022-03-13	8.12	t
41	28	Gizmo	dog	Border Collie	M	2012-04-27	15.39	f
42	29	Hazel	dog	Border Collie	M	2021-09-20	16.00	t
43	30	Biscuit	dog	Beagle	M	2023-12-03	10.84	t
44	30	Shadow	cat	Domestic Shorthair	M	2019-12-18	3.61	f
45	31	Ziggy	cat	Siamese	M	2020-07-23	4.00	t
46	32	Poppy	cat	Ragdoll	M	2022-03-08	7.20	t
47	33	Willow	parrot	Cockatiel	F	2021-08-24	0.11	f
48	33	Olive	rabbit	Mini Lop	M	2016-08-07	1.74	t
49	33	Biscuit	dog	Labrador	M	2026-03-17	35.89	t
50	34	Bandit	dog	Labrador	F	2020-11-11	26.07	t
51	34	Mango	cat	Siamese	M	2019-08-01	4.94	t
52	35	Poppy	cat	Siamese	M	2011-11-30	5.05	f
53	35	Pickles	tortoise	Hermann	F	2016-07-06	1.73	f
54	36	Bandit	rabbit	Netherland Dwarf	M	2022-11-06	1.07	f
55	37	Dexter	dog	Beagle	F	2014-03-10	10.21	f
56	38	Waffles	cat	Ragdoll	F	2020-01-08	7.18	f
57	38	Tofu	dog	Mixed	M	2018-09-17	10.07	f
58	39	Pepper	cat	Siamese	F	2017-12-18	3.26	t
59	39	Shadow	dog	Dachshund	F	2017-04-05	10.65	t
60	40	Cleo	cat	Domestic Shorthair	M	2013-03-28	6.22	t
61	40	Willow	dog	Cocker Spaniel	F	2012-03-24	12.12	f
62	41	Dexter	rabbit	Netherland Dwarf	F	2024-01-25	0.93	f
63	42	Pickles	dog	Cocker Spaniel	M	2025-11-07	14.36	t
64	43	Smudge	dog	Beagle	F	2020-05-16	13.27	t
65	44	Ziggy	dog	Border Collie	F	2013-02-20	20.60	t
66	46	Luna	cat	Siamese	M	2012-10-09	4.65	t
67	47	Shadow	cat	Siamese	M	2022-03-22	4.36	f
68	48	Ziggy	dog	Labrador	M	2019-01-17	25.21	f
69	48	Hazel	cat	Ragdoll	M	2017-03-11	4.96	t
70	48	Shadow	cat	Ragdoll	F	2025-06-28	4.17	t
71	49	Gizmo	dog	Dachshund	M	2019-10-16	9.38	f
72	50	Moose	parrot	Cockatiel	M	2018-10-31	0.08	f
73	51	Juno	dog	Border Collie	F	2024-09-19	17.66	f
74	51	Willow	dog	Dachshund	M	2019-08-11	10.39	f
75	51	Bandit	dog	Dachshund	F	2011-05-10	6.33	t
76	52	Mango	cat	Maine Coon	M	2011-10-20	8.70	f
77	52	Luna	cat	Maine Coon	F	2022-03-21	7.15	f
78	53	Thistle	dog	Beagle	M	2024-01-01	11.20	t
79	54	Smudge	dog	Dachshund	M	2013-07-20	7.33	t
80	54	Otis	dog	Labrador	F	2021-02-10	32.41	t
81	54	Bramble	cat	Maine Coon	M	2014-01-05	6.34	t
82	55	Pickles	dog	Border Collie	M	2016-07-22	19.52	t
83	55	Bramble	dog	Labrador	F	2019-02-10	33.60	f
84	56	Hazel	dog	Border Collie	M	2015-02-20	15.49	t
85	56	Luna	dog	Labrador	M	2016-12-22	28.62	t
86	56	Dexter	dog	Mixed	M	2017-01-07	10.07	t
87	57	Poppy	cat	Ragdoll	F	2016-09-30	5.87	f
88	58	Moose	parrot	Cockatiel	F	2024-02-15	0.09	f
89	59	Cleo	cat	Siamese	M	2011-11-12	4.96	f
90	61	Dexter	cat	Maine Coon	M	2025-10-29	8.78	t
91	62	Mango	tortoise	Hermann	F	2024-06-28	1.80	f
92	63	Cleo	dog	Dachshund	M	2022-11-12	8.41	t
93	64	Poppy	rabbit	Mini Lop	F	2016-06-18	2.60	f
94	65	Waffles	cat	Maine Coon	M	2024-01-24	8.58	f
95	65	Biscuit	dog	Labrador	F	2011-04-29	30.73	t
96	66	Pepper	cat	Domestic Shorthair	M	2020-01-21	4.13	t
97	66	Tofu	cat	Maine Coon	F	2025-06-16	8.28	f
98	66	Otis	cat	Maine Coon	M	2012-09-27	8.79	t
99	67	Cleo	dog	Cocker Spaniel	F	2014-09-11	13.85	t
100	68	Otis	cat	Domestic Shorthair	M	2015-03-02	4.63	t
101	68	Tofu	parrot	Cockatiel	F	2021-10-22	0.09	t
102	69	Peanut	cat	Siamese	M	2015-06-11	4.37	t
103	71	Cleo	dog	Border Collie	F	2021-07-22	14.28	f
104	72	Ziggy	dog	Beagle	F	2019-03-07	11.12	t
105	73	Shadow	dog	Cocker Spaniel	F	2014-03-03	12.14	t
106	73	Smudge	cat	Siamese	F	2010-12-12	4.19	f
107	74	Luna	dog	Dachshund	F	2025-11-06	9.76	t
108	75	Smudge	dog	Mixed	M	2013-02-19	26.21	t
109	76	Marmalade	dog	Mixed	F	2021-10-25	25.59	f
110	76	Thistle	dog	Labrador	M	2015-10-03	33.27	t
111	77	Waffles	dog	Labrador	M	2021-06-06	28.03	t
112	78	Thistle	dog	Beagle	M	2025-08-14	13.32	t
113	78	Hazel	dog	Mixed	F	2013-05-01	14.18	f
114	79	Nala	dog	Cocker Spaniel	F	2012-03-07	13.93	f
115	79	Kiwi	cat	Siamese	M	2018-01-29	4.86	f
116	80	Coco	dog	Border Collie	M	2024-08-27	15.40	t
117	80	Poppy	parrot	Cockatiel	F	2024-04-22	0.08	f
\.


--
-- Data for Name: vaccinations; Type: TABLE DATA; Schema: public; Owner: -
--

COPY public.vaccinations (vaccination_id, pet_id, vaccine, given_on, next_due, batch_no) FROM stdin;
1	89	rabies	2024-06-10	2027-06-10	B534B
2	102	cat flu	2024-06-11	2025-06-11	B155B
3	35	rabies	2024-06-27	2027-06-27	B448B
4	56	feline leukaemia	2024-07-04	2025-07-04	B399A
5	38	rabies	2024-07-18	2027-07-18	B353C
6	113	rabies	2024-08-09	2027-08-09	B280B
7	2	kennel cough	2024-08-23	2025-08-23	B148B
8	102	feline leukaemia	2024-08-27	2025-08-27	B527C
9	100	rabies	2024-09-05	2027-09-05	B132C
10	99	distemper	2024-09-13	2025-09-13	B128C
11	51	feline leukaemia	2024-09-15	2025-09-15	B261B
12	108	kennel cough	2024-09-17	2025-09-17	B290C
13	114	distemper	2024-09-25	2025-09-25	B719B
14	6	leptospirosis	2024-10-16	2025-10-16	B586B
15	78	kennel cough	2024-10-25	2025-10-25	B100A
16	98	rabies	2024-10-29	2027-10-29	B229C
17	111	distemper	2024-10-31	2025-10-31	B716B
18	86	rabies	2024-11-04	2027-11-04	B780C
19	84	kennel cough	2024-11-17	2025-11-17	B297A
20	65	rabies	2024-12-05	2027-12-05	B935B
21	62	myxomatosis	2024-12-06	2025-12-06	B706C
22	68	distemper	2024-12-06	2025-12-06	B672B
23	73	distemper	2024-12-13	2025-12-13	B975C
24	28	rabies	2024-12-17	2027-12-17	B961C
25	79	rabies	2024-12-22	2027-12-22	B910C
26	57	distemper	2024-12-24	2025-12-24	B528C
27	110	leptospirosis	2024-12-27	2025-12-27	B786A
28	50	distemper	2025-01-06	2026-01-06	B952C
29	3	distemper	2025-01-26	2026-01-26	B112B
30	87	cat flu	2025-02-12	2026-02-12	B647A
31	45	rabies	2025-02-26	2028-02-26	B835B
32	66	cat flu	2025-03-04	2026-03-04	B320A
33	85	leptospirosis	2025-03-04	2026-03-04	B912B
34	7	kennel cough	2025-04-15	2026-04-15	B755B
35	69	rabies	2025-05-11	2028-05-10	B732C
36	115	rabies	2025-05-12	2028-05-11	B305A
37	15	feline leukaemia	2025-05-15	2026-05-15	B156B
38	105	rabies	2025-05-16	2028-05-15	B226B
39	19	myxomatosis	2025-05-24	2026-05-24	B499A
40	30	rabies	2025-05-27	2028-05-26	B750C
41	60	cat flu	2025-06-01	2026-06-01	B266C
42	5	rabies	2025-06-02	2028-06-01	B278B
43	13	cat flu	2025-06-02	2026-06-02	B133C
44	52	feline leukaemia	2025-06-07	2026-06-07	B546A
45	69	cat flu	2025-06-14	2026-06-14	B781C
46	65	distemper	2025-06-29	2026-06-29	B579C
47	5	cat flu	2025-07-02	2026-07-02	B793B
48	21	cat flu	2025-07-11	2026-07-11	B632B
49	60	rabies	2025-08-10	2028-08-09	B460B
50	109	rabies	2025-09-08	2028-09-07	B944A
51	33	rabies	2025-09-09	2028-09-08	B253B
52	1	leptospirosis	2025-09-10	2026-09-10	B128A
53	77	cat flu	2025-09-20	2026-09-20	B714B
54	86	distemper	2025-09-20	2026-09-20	B941A
55	46	cat flu	2025-09-22	2026-09-22	B892B
56	13	rabies	2025-10-02	2028-10-01	B798C
57	9	kennel cough	2025-10-13	2026-10-13	B915A
58	41	leptospirosis	2025-10-14	2026-10-14	B350B
59	73	rabies	2025-10-23	2028-10-22	B933C
60	96	feline leukaemia	2025-10-31	2026-10-31	B316B
61	113	kennel cough	2025-11-07	2026-11-07	B127C
62	4	kennel cough	2025-11-08	2026-11-08	B114B
63	70	cat flu	2025-11-10	2026-11-10	B357B
64	21	feline leukaemia	2025-11-13	2026-11-13	B435C
65	32	rabies	2025-11-15	2028-11-14	B178B
66	108	distemper	2025-11-17	2026-11-17	B471C
67	8	rabies	2025-11-20	2028-11-19	B900B
68	44	feline leukaemia	2025-11-28	2026-11-28	B755A
69	75	distemper	2025-11-30	2026-11-30	B703B
70	100	feline leukaemia	2025-11-30	2026-11-30	B769A
71	59	leptospirosis	2025-12-09	2026-12-09	B868C
72	31	rabies	2025-12-14	2028-12-13	B715C
73	25	distemper	2025-12-20	2026-12-20	B304B
74	112	kennel cough	2025-12-24	2026-12-24	B992B
75	61	distemper	2026-01-01	2027-01-01	B541C
76	92	leptospirosis	2026-01-04	2027-01-04	B810B
77	3	rabies	2026-01-07	2029-01-06	B447A
78	16	rabies	2026-01-23	2029-01-22	B493C
79	41	distemper	2026-01-30	2027-01-30	B983A
80	89	feline leukaemia	2026-02-10	2027-02-10	B940A
81	67	cat flu	2026-02-13	2027-02-13	B210B
82	82	kennel cough	2026-03-02	2027-03-02	B429A
83	35	distemper	2026-03-07	2027-03-07	B209B
84	8	kennel cough	2026-03-09	2027-03-09	B270A
85	67	rabies	2026-03-18	2029-03-17	B496A
86	41	kennel cough	2026-03-19	2027-03-19	B686B
87	104	leptospirosis	2026-03-21	2027-03-21	B727A
88	99	kennel cough	2026-04-12	2027-04-12	B290B
89	63	distemper	2026-04-28	2027-04-28	B460C
90	95	distemper	2026-05-10	2027-05-10	B749A
91	107	distemper	2026-05-10	2027-05-10	B442A
92	1	kennel cough	2026-05-22	2027-05-22	B144B
93	23	rabies	2026-05-30	2029-05-29	B567C
94	9	distemper	2026-06-04	2027-06-04	B625B
95	63	rabies	2026-06-06	2029-06-05	B108A
96	103	distemper	2026-06-21	2027-06-21	B664C
97	58	feline leukaemia	2026-06-24	2027-06-24	B957A
98	31	cat flu	2026-06-25	2027-06-25	B527B
99	83	kennel cough	2026-07-03	2027-07-03	B347C
100	71	rabies	2026-07-05	2029-07-04	B543C
101	49	kennel cough	2026-07-15	2027-07-15	B498B
102	45	feline leukaemia	2026-07-20	2027-07-20	B697B
103	84	rabies	2026-07-22	2029-07-21	B247C
104	114	rabies	2026-07-23	2029-07-22	B876B
105	55	leptospirosis	2026-08-07	2027-08-07	B371B
106	28	kennel cough	2026-08-12	2027-08-12	B443A
107	49	leptospirosis	2026-08-20	2027-08-20	B522B
108	83	leptospirosis	2026-08-22	2027-08-22	B369C
109	75	rabies	2026-08-26	2029-08-25	B423B
110	1	rabies	2026-09-04	2029-09-03	B824A
111	68	rabies	2026-09-05	2029-09-04	B317B
112	41	rabies	2026-09-08	2029-09-07	B794C
113	50	kennel cough	2026-09-26	2027-09-26	B478B
114	34	distemper	2026-10-09	2027-10-09	B918B
115	38	feline leukaemia	2026-10-11	2027-10-11	B172B
116	66	rabies	2026-10-16	2029-10-15	B813B
117	54	myxomatosis	2026-10-25	2027-10-25	B101A
118	80	kennel cough	2026-11-05	2027-11-05	B605C
119	14	kennel cough	2026-11-09	2027-11-09	B473A
120	70	rabies	2026-11-09	2029-11-08	B322B
121	94	rabies	2026-11-12	2029-11-11	B184A
\.


--
-- Data for Name: vets; Type: TABLE DATA; Schema: public; Owner: -
--

COPY public.vets (vet_id, full_name, specialty, hired_on, works_weekends) FROM stdin;
1	Dr. Helen Marchetti	surgery	2015-04-01	f
2	Dr. Tomas Lindqvist	dermatology	2018-09-10	t
3	Dr. Anjali Rao	general practice	2019-01-15	t
4	Dr. Peter Osei	general practice	2021-06-01	f
5	Dr. Claire Dubois	dentistry	2022-02-14	f
6	Dr. Sam Whitlock	exotics	2023-10-02	t
7	Dr. Mina Farahani	general practice	2026-09-01	t
\.


--
-- Data for Name: visits; Type: TABLE DATA; Schema: public; Owner: -
--

COPY public.visits (visit_id, pet_id, vet_id, visit_date, reason, diagnosis, fee, follow_up_on) FROM stdin;
1	48	6	2025-01-02	annual check-up	healthy	50.00	\N
2	59	4	2025-01-03	annual check-up	healthy	50.50	\N
3	64	4	2025-01-06	limping	torn ligament	82.50	\N
4	93	3	2025-01-07	annual check-up	healthy	58.00	\N
5	95	4	2025-01-11	emergency	poisoning	271.50	\N
6	69	4	2025-01-14	annual check-up	healthy	58.00	\N
7	24	5	2025-01-16	annual check-up	healthy	47.50	\N
8	21	3	2025-01-17	annual check-up	overweight	50.50	\N
9	22	5	2025-01-24	dental cleaning	broken tooth	156.50	\N
10	2	2	2025-01-25	skin rash	contact dermatitis	77.50	2025-02-01
11	71	3	2025-01-27	annual check-up	heart murmur	55.00	\N
12	48	6	2025-02-06	annual check-up	healthy	47.00	\N
13	85	2	2025-02-07	vaccination	healthy	37.50	\N
14	57	5	2025-02-12	annual check-up	mild tartar	56.00	\N
15	89	5	2025-02-12	vaccination	healthy	34.50	\N
16	34	2	2025-02-13	annual check-up	healthy	56.00	\N
17	116	4	2025-02-14	emergency	foreign body swallowed	417.00	2025-02-21
18	34	5	2025-02-15	dental cleaning	severe tartar	175.50	2025-02-22
19	27	5	2025-02-27	annual check-up	healthy	53.50	\N
20	28	4	2025-02-27	vomiting	kidney disease	88.50	\N
21	91	6	2025-03-01	ear infection	otitis externa	57.00	2025-03-31
22	9	2	2025-03-03	ear infection	otitis externa	74.50	2025-03-13
23	117	6	2025-03-07	annual check-up	mild tartar	47.50	\N
24	114	3	2025-03-11	vomiting	foreign body swallowed	85.00	\N
25	51	4	2025-03-12	annual check-up	healthy	59.00	\N
26	52	2	2025-03-15	vaccination	healthy	30.00	\N
27	92	5	2025-03-18	dental cleaning	severe tartar	200.50	\N
28	81	2	2025-03-19	annual check-up	healthy	48.00	\N
29	12	3	2025-03-26	annual check-up	healthy	47.00	\N
30	15	5	2025-03-27	dental cleaning	mild tartar	164.50	2025-04-10
31	33	3	2025-03-28	annual check-up	heart murmur	54.00	\N
32	45	6	2025-04-04	ear infection	otitis externa	64.50	2025-05-04
33	38	3	2025-04-05	ear infection	otitis externa	62.50	\N
34	80	4	2025-04-19	limping	hip dysplasia	105.00	\N
35	26	3	2025-04-23	skin rash	food allergy	91.00	\N
36	69	2	2025-04-25	annual check-up	mild tartar	56.50	\N
37	108	5	2025-04-25	annual check-up	healthy	56.00	\N
38	25	3	2025-04-28	annual check-up	healthy	46.00	\N
39	35	2	2025-04-29	annual check-up	healthy	59.50	\N
40	106	4	2025-04-29	emergency	poisoning	399.50	\N
41	55	4	2025-05-09	vomiting	foreign body swallowed	109.50	2025-05-23
42	15	5	2025-05-10	dental cleaning	broken tooth	190.00	2025-05-20
43	11	6	2025-05-20	annual check-up	healthy	54.50	\N
44	2	4	2025-05-21	ear infection	ear mites	61.00	2025-05-28
45	58	2	2025-05-29	vaccination	healthy	39.00	\N
46	58	2	2025-06-02	skin rash	food allergy	66.50	\N
47	34	3	2025-06-04	limping	arthritis	86.50	\N
48	17	6	2025-06-11	annual check-up	healthy	47.00	\N
49	38	5	2025-06-18	dental cleaning	mild tartar	158.50	\N
50	87	6	2025-06-18	vaccination	healthy	33.00	\N
51	3	1	2025-06-20	annual check-up	healthy	45.50	\N
52	15	2	2025-06-27	skin rash	contact dermatitis	72.50	\N
53	17	6	2025-06-27	vomiting	gastritis	72.50	\N
54	2	6	2025-06-30	annual check-up	healthy	45.50	\N
55	67	3	2025-07-04	vaccination	healthy	35.50	\N
56	25	1	2025-07-05	surgery	spay/neuter	791.50	2025-07-19
57	108	2	2025-07-11	skin rash	contact dermatitis	68.50	\N
58	25	5	2025-07-18	dental cleaning	severe tartar	128.00	2025-07-28
59	38	2	2025-07-25	vomiting	food allergy	114.50	2025-08-24
60	53	6	2025-07-25	vomiting	gastritis	106.50	2025-08-04
61	85	4	2025-07-29	skin rash	flea allergy	84.00	\N
62	102	3	2025-08-01	limping	torn ligament	97.00	2025-08-22
63	47	6	2025-08-06	annual check-up	healthy	48.00	\N
64	71	5	2025-08-08	dental cleaning	broken tooth	170.50	2025-09-07
65	8	2	2025-08-18	ear infection	otitis externa	63.00	2025-08-25
66	81	3	2025-08-21	annual check-up	mild tartar	47.00	\N
67	17	4	2025-08-23	dental cleaning	broken tooth	151.50	\N
68	78	2	2025-08-26	skin rash	food allergy	68.00	\N
69	57	3	2025-08-27	limping	sprained paw	76.50	\N
70	91	6	2025-09-01	annual check-up	healthy	58.00	\N
71	99	3	2025-09-05	annual check-up	healthy	55.00	\N
72	23	3	2025-09-12	vaccination	healthy	39.50	\N
73	27	2	2025-09-15	annual check-up	mild tartar	59.00	\N
74	43	3	2025-09-15	annual check-up	healthy	53.50	\N
75	16	2	2025-09-18	annual check-up	healthy	57.00	\N
76	67	2	2025-09-19	skin rash	ringworm	65.00	\N
77	102	5	2025-09-23	dental cleaning	severe tartar	155.00	\N
78	2	4	2025-09-24	annual check-up	healthy	51.00	\N
79	13	2	2025-09-29	annual check-up	healthy	54.50	\N
80	43	4	2025-10-03	vaccination	healthy	34.50	\N
81	60	4	2025-10-04	vomiting	food allergy	117.00	2025-11-03
82	2	3	2025-10-08	annual check-up	healthy	45.50	\N
83	60	1	2025-10-08	ear infection	ear mites	64.50	2025-10-18
84	83	3	2025-10-10	emergency	foreign body swallowed	340.00	\N
85	116	3	2025-10-11	vaccination	healthy	35.00	\N
86	14	5	2025-10-16	dental cleaning	mild tartar	191.50	2025-10-30
87	95	3	2025-10-16	vomiting	foreign body swallowed	109.50	\N
88	22	4	2025-10-18	ear infection	otitis externa	57.50	2025-11-01
89	72	6	2025-10-20	skin rash	contact dermatitis	70.00	\N
90	22	4	2025-10-21	skin rash	contact dermatitis	76.50	2025-10-28
91	60	5	2025-10-24	dental cleaning	mild tartar	128.00	2025-11-14
92	102	1	2025-10-24	annual check-up	healthy	54.50	\N
93	33	2	2025-10-25	annual check-up	overweight	51.50	\N
94	105	4	2025-10-27	limping	sprained paw	70.00	2025-11-03
95	12	2	2025-10-31	annual check-up	healthy	46.50	\N
96	112	5	2025-10-31	limping	torn ligament	67.50	2025-11-14
97	61	4	2025-11-07	vaccination	healthy	38.50	\N
98	68	1	2025-11-07	surgery	foreign body swallowed	400.50	\N
99	108	6	2025-11-10	annual check-up	healthy	59.50	\N
100	114	5	2025-11-20	annual check-up	healthy	49.50	\N
101	43	1	2025-11-21	annual check-up	healthy	54.50	\N
102	36	6	2025-11-22	skin rash	food allergy	75.00	\N
103	6	5	2025-12-02	dental cleaning	broken tooth	204.50	\N
104	31	3	2025-12-03	vaccination	healthy	38.00	\N
105	15	4	2025-12-05	vomiting	gastritis	82.50	2026-01-04
106	70	4	2025-12-05	annual check-up	healthy	49.50	\N
107	44	5	2025-12-09	dental cleaning	broken tooth	168.00	2025-12-16
108	51	2	2025-12-11	skin rash	flea allergy	65.50	\N
109	30	2	2025-12-12	skin rash	contact dermatitis	58.50	2026-01-11
110	31	3	2025-12-13	ear infection	ear mites	56.00	2026-01-12
111	102	1	2025-12-19	surgery	torn ligament	848.50	2025-12-29
112	2	2	2025-12-25	skin rash	contact dermatitis	95.00	\N
113	78	3	2025-12-25	annual check-up	healthy	56.50	\N
114	57	2	2025-12-29	limping	hip dysplasia	65.00	2026-01-08
115	30	4	2025-12-31	limping	sprained paw	100.50	2026-01-21
116	36	6	2026-01-01	dental cleaning	mild tartar	128.00	\N
117	116	3	2026-01-02	vaccination	healthy	39.50	\N
118	11	4	2026-01-05	ear infection	ear mites	75.00	\N
119	70	4	2026-01-07	skin rash	ringworm	73.50	2026-01-21
120	16	5	2026-01-16	dental cleaning	broken tooth	207.50	\N
121	92	3	2026-01-17	vaccination	healthy	39.50	\N
122	19	3	2026-01-19	surgery	foreign body swallowed	505.00	2026-02-02
123	71	1	2026-01-23	annual check-up	healthy	59.50	\N
124	77	3	2026-01-23	annual check-up	healthy	55.50	\N
125	112	4	2026-01-27	vaccination	healthy	30.00	\N
126	17	6	2026-01-30	limping	arthritis	83.50	\N
127	25	5	2026-01-30	dental cleaning	broken tooth	188.50	\N
128	27	3	2026-01-30	annual check-up	healthy	57.00	\N
129	21	4	2026-01-31	emergency	foreign body swallowed	399.50	\N
130	13	5	2026-02-02	dental cleaning	mild tartar	123.00	2026-02-16
131	21	3	2026-02-02	annual check-up	healthy	57.50	\N
132	93	3	2026-02-02	emergency	heat stroke	203.00	2026-02-23
133	60	2	2026-02-11	vomiting	foreign body swallowed	74.00	2026-02-18
134	20	6	2026-02-14	annual check-up	healthy	54.00	\N
135	16	3	2026-02-19	emergency	poisoning	349.50	2026-03-05
136	6	3	2026-02-20	vomiting	gastritis	61.00	\N
137	112	2	2026-02-23	annual check-up	healthy	46.50	\N
138	112	4	2026-02-25	annual check-up	healthy	50.00	\N
139	67	5	2026-02-27	dental cleaning	severe tartar	191.00	2026-03-20
140	77	2	2026-02-27	skin rash	flea allergy	68.00	\N
141	58	3	2026-03-04	annual check-up	healthy	53.00	\N
142	23	4	2026-03-06	annual check-up	mild tartar	45.00	\N
143	105	3	2026-03-06	vaccination	healthy	32.00	\N
144	81	2	2026-03-11	skin rash	flea allergy	89.00	2026-03-21
145	78	4	2026-03-13	annual check-up	heart murmur	45.00	\N
146	77	3	2026-03-14	vaccination	healthy	33.00	\N
147	26	4	2026-03-16	annual check-up	overweight	55.50	\N
148	6	3	2026-03-17	annual check-up	healthy	54.00	\N
149	90	3	2026-03-19	ear infection	ear mites	64.50	\N
150	44	4	2026-03-20	ear infection	ear mites	59.50	2026-04-19
151	65	1	2026-03-20	surgery	spay/neuter	636.50	2026-04-10
152	67	3	2026-03-20	annual check-up	healthy	51.00	\N
153	40	2	2026-03-25	skin rash	ringworm	64.00	2026-04-04
154	80	1	2026-03-27	vaccination	healthy	33.00	\N
155	4	4	2026-03-28	vomiting	food allergy	68.50	2026-04-27
156	11	6	2026-04-02	emergency	foreign body swallowed	274.50	\N
157	21	2	2026-04-03	skin rash	flea allergy	91.00	2026-05-03
158	33	3	2026-04-03	limping	arthritis	108.00	2026-05-03
159	111	1	2026-04-04	limping	torn ligament	74.50	\N
160	58	5	2026-04-06	annual check-up	healthy	46.00	\N
161	9	4	2026-04-13	ear infection	ear mites	55.00	\N
162	92	4	2026-04-14	annual check-up	heart murmur	59.00	\N
163	50	3	2026-04-15	annual check-up	healthy	46.50	\N
164	106	2	2026-04-16	skin rash	ringworm	90.00	2026-05-07
165	62	6	2026-04-17	annual check-up	healthy	52.50	\N
166	80	4	2026-04-17	annual check-up	healthy	48.00	\N
167	24	5	2026-04-18	ear infection	ear mites	71.00	2026-04-28
168	23	3	2026-04-25	skin rash	contact dermatitis	87.00	\N
169	58	5	2026-04-25	dental cleaning	mild tartar	180.50	\N
170	13	5	2026-04-27	annual check-up	healthy	56.50	\N
171	111	1	2026-04-28	annual check-up	overweight	60.00	\N
172	11	6	2026-04-29	annual check-up	healthy	58.00	\N
173	33	2	2026-04-30	skin rash	ringworm	92.00	2026-05-14
174	8	5	2026-05-01	annual check-up	healthy	57.50	\N
175	12	4	2026-05-09	ear infection	otitis externa	64.50	2026-05-30
176	18	6	2026-05-11	surgery	benign tumour	742.50	2026-06-01
177	2	4	2026-05-12	vomiting	gastritis	65.50	\N
178	6	2	2026-05-12	annual check-up	healthy	52.50	\N
179	9	2	2026-05-13	skin rash	ringworm	68.50	2026-05-23
180	46	3	2026-05-13	skin rash	contact dermatitis	69.00	\N
181	16	2	2026-05-15	vaccination	healthy	36.50	\N
182	60	3	2026-05-15	annual check-up	healthy	49.00	\N
183	13	2	2026-05-16	annual check-up	healthy	47.50	\N
184	49	3	2026-05-16	vomiting	kidney disease	76.50	2026-05-26
185	80	4	2026-05-18	annual check-up	healthy	54.00	\N
186	107	3	2026-05-18	annual check-up	overweight	50.50	\N
187	70	4	2026-05-20	vaccination	healthy	31.00	\N
188	82	3	2026-05-23	skin rash	ringworm	78.00	2026-06-02
189	85	3	2026-05-23	annual check-up	overweight	60.00	\N
190	47	6	2026-05-25	annual check-up	heart murmur	51.00	\N
191	117	6	2026-05-25	annual check-up	overweight	45.50	\N
192	69	3	2026-05-27	vomiting	foreign body swallowed	89.50	2026-06-06
193	112	2	2026-05-28	skin rash	food allergy	77.00	\N
194	89	4	2026-05-29	limping	sprained paw	108.00	\N
195	66	2	2026-05-30	vaccination	healthy	38.50	\N
196	107	4	2026-06-05	annual check-up	healthy	57.00	\N
197	53	6	2026-06-08	surgery	foreign body swallowed	759.50	\N
198	94	4	2026-06-12	vomiting	foreign body swallowed	94.00	2026-06-26
199	100	4	2026-06-12	annual check-up	overweight	54.50	\N
200	117	6	2026-06-13	vomiting	kidney disease	106.50	2026-07-13
201	31	3	2026-06-16	annual check-up	overweight	55.00	\N
202	35	4	2026-06-16	vaccination	healthy	33.50	\N
203	76	3	2026-06-17	vaccination	healthy	31.50	\N
204	27	1	2026-06-19	emergency	hit by car	230.50	\N
205	30	3	2026-06-19	limping	sprained paw	81.50	2026-06-29
206	3	2	2026-06-22	skin rash	food allergy	77.50	\N
207	39	4	2026-06-22	vaccination	healthy	31.50	\N
208	28	5	2026-06-25	dental cleaning	mild tartar	184.00	2026-07-25
209	24	4	2026-06-26	ear infection	otitis externa	60.50	\N
210	90	3	2026-06-26	vomiting	food allergy	102.00	\N
211	101	6	2026-06-26	skin rash	food allergy	60.50	2026-07-06
212	101	6	2026-06-27	skin rash	contact dermatitis	94.50	\N
213	34	3	2026-06-29	vomiting	food allergy	89.50	2026-07-13
214	109	3	2026-06-30	vomiting	gastritis	114.50	2026-07-14
215	33	2	2026-07-04	annual check-up	mild tartar	53.50	\N
216	12	2	2026-07-14	skin rash	ringworm	67.50	\N
217	17	6	2026-07-14	annual check-up	healthy	48.50	\N
218	34	5	2026-07-14	limping	arthritis	95.50	\N
219	39	4	2026-07-15	ear infection	ear mites	52.00	2026-08-14
220	68	4	2026-07-17	vaccination	healthy	31.00	\N
221	76	5	2026-07-17	limping	arthritis	95.50	2026-07-31
222	105	2	2026-07-20	annual check-up	heart murmur	46.50	\N
223	107	3	2026-07-20	skin rash	ringworm	82.50	\N
224	2	3	2026-07-22	annual check-up	healthy	52.50	\N
225	60	3	2026-07-24	vaccination	healthy	39.50	\N
226	7	4	2026-07-28	vaccination	healthy	38.50	\N
227	63	2	2026-07-28	vaccination	healthy	39.50	\N
228	108	3	2026-07-31	annual check-up	overweight	55.00	\N
229	7	3	2026-08-04	vaccination	healthy	37.00	\N
230	7	4	2026-08-04	vaccination	healthy	31.00	\N
231	19	3	2026-08-05	annual check-up	heart murmur	59.50	\N
232	19	3	2026-08-10	annual check-up	healthy	48.50	\N
233	27	5	2026-08-13	dental cleaning	mild tartar	180.00	\N
234	94	2	2026-08-13	skin rash	flea allergy	86.00	\N
235	94	2	2026-08-14	annual check-up	healthy	50.00	\N
236	91	6	2026-08-18	annual check-up	healthy	57.50	\N
237	93	6	2026-08-18	ear infection	ear mites	84.00	\N
238	58	2	2026-08-19	emergency	poisoning	318.50	\N
239	100	2	2026-08-20	skin rash	ringworm	88.00	2026-08-30
240	109	5	2026-08-21	dental cleaning	broken tooth	176.00	\N
241	63	2	2026-08-26	annual check-up	heart murmur	56.50	\N
242	109	1	2026-08-26	surgery	torn ligament	622.00	2026-09-16
243	108	3	2026-08-28	annual check-up	heart murmur	55.00	\N
244	48	6	2026-08-31	annual check-up	mild tartar	56.50	\N
245	72	6	2026-09-04	dental cleaning	broken tooth	151.00	2026-10-04
246	100	4	2026-09-04	limping	arthritis	105.50	\N
247	87	5	2026-09-07	annual check-up	healthy	48.00	\N
248	101	6	2026-09-09	emergency	poisoning	186.50	2026-09-19
249	66	1	2026-09-10	annual check-up	healthy	53.00	\N
250	109	3	2026-09-10	vaccination	healthy	33.50	\N
251	79	1	2026-09-11	surgery	spay/neuter	889.00	2026-09-21
252	35	6	2026-09-12	annual check-up	healthy	50.00	\N
253	74	3	2026-09-12	annual check-up	healthy	56.50	\N
254	24	1	2026-09-14	emergency	heat stroke	275.50	2026-09-24
255	17	6	2026-09-15	dental cleaning	mild tartar	169.50	\N
256	74	2	2026-09-17	skin rash	food allergy	76.50	2026-10-17
257	90	3	2026-09-18	vaccination	healthy	37.00	\N
258	61	3	2026-09-25	vaccination	healthy	32.00	\N
259	62	3	2026-09-26	annual check-up	healthy	45.50	\N
260	80	3	2026-09-26	vaccination	healthy	34.50	\N
261	34	2	2026-10-01	skin rash	ringworm	57.50	\N
262	54	3	2026-10-01	vomiting	foreign body swallowed	74.50	\N
263	75	3	2026-10-01	emergency	heat stroke	292.50	2026-10-22
264	92	4	2026-10-02	annual check-up	healthy	46.50	\N
265	44	3	2026-10-03	vaccination	healthy	38.50	\N
266	29	3	2026-10-06	dental cleaning	broken tooth	156.50	2026-11-05
267	54	6	2026-10-07	emergency	hit by car	297.00	2026-11-06
268	110	2	2026-10-07	skin rash	contact dermatitis	62.00	\N
269	53	6	2026-10-08	annual check-up	healthy	50.00	\N
270	63	3	2026-10-09	annual check-up	overweight	56.00	\N
271	54	6	2026-10-16	annual check-up	heart murmur	52.50	\N
272	65	3	2026-10-16	ear infection	otitis externa	67.00	\N
273	97	5	2026-10-16	dental cleaning	mild tartar	159.50	\N
274	3	5	2026-10-17	dental cleaning	broken tooth	180.00	\N
275	96	1	2026-10-19	limping	torn ligament	94.50	\N
276	112	4	2026-10-19	annual check-up	healthy	53.00	\N
277	6	4	2026-10-28	vomiting	gastritis	104.00	2026-11-18
278	74	2	2026-10-28	skin rash	contact dermatitis	82.00	\N
279	110	4	2026-10-30	skin rash	flea allergy	84.50	\N
280	10	6	2026-11-03	annual check-up	heart murmur	55.50	\N
281	15	1	2026-11-05	annual check-up	healthy	49.50	\N
282	96	1	2026-11-05	vaccination	healthy	38.00	\N
283	82	3	2026-11-06	vaccination	healthy	32.50	\N
284	101	6	2026-11-06	ear infection	otitis externa	59.00	2026-12-06
285	59	5	2026-11-07	dental cleaning	broken tooth	181.00	\N
286	100	3	2026-11-10	annual check-up	heart murmur	58.00	\N
287	61	3	2026-11-12	skin rash	ringworm	86.50	\N
288	104	3	2026-11-12	annual check-up	healthy	45.50	\N
289	4	1	2026-11-14	annual check-up	healthy	58.00	\N
290	109	4	2026-11-16	limping	hip dysplasia	61.50	\N
\.


--
-- Name: invoices invoices_pkey; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.invoices
    ADD CONSTRAINT invoices_pkey PRIMARY KEY (invoice_id);


--
-- Name: invoices invoices_visit_id_key; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.invoices
    ADD CONSTRAINT invoices_visit_id_key UNIQUE (visit_id);


--
-- Name: owners owners_pkey; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.owners
    ADD CONSTRAINT owners_pkey PRIMARY KEY (owner_id);


--
-- Name: pets pets_pkey; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.pets
    ADD CONSTRAINT pets_pkey PRIMARY KEY (pet_id);


--
-- Name: vaccinations vaccinations_pkey; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.vaccinations
    ADD CONSTRAINT vaccinations_pkey PRIMARY KEY (vaccination_id);


--
-- Name: vets vets_pkey; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.vets
    ADD CONSTRAINT vets_pkey PRIMARY KEY (vet_id);


--
-- Name: visits visits_pkey; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.visits
    ADD CONSTRAINT visits_pkey PRIMARY KEY (visit_id);


--
-- Name: invoices invoices_visit_id_fkey; Type: FK CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.invoices
    ADD CONSTRAINT invoices_visit_id_fkey FOREIGN KEY (visit_id) REFERENCES public.visits(visit_id);


--
-- Name: pets pets_owner_id_fkey; Type: FK CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.pets
    ADD CONSTRAINT pets_owner_id_fkey FOREIGN KEY (owner_id) REFERENCES public.owners(owner_id);


--
-- Name: vaccinations vaccinations_pet_id_fkey; Type: FK CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.vaccinations
    ADD CONSTRAINT vaccinations_pet_id_fkey FOREIGN KEY (pet_id) REFERENCES public.pets(pet_id);


--
-- Name: visits visits_pet_id_fkey; Type: FK CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.visits
    ADD CONSTRAINT visits_pet_id_fkey FOREIGN KEY (pet_id) REFERENCES public.pets(pet_id);


--
-- Name: visits visits_vet_id_fkey; Type: FK CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.visits
    ADD CONSTRAINT visits_vet_id_fkey FOREIGN KEY (vet_id) REFERENCES public.vets(vet_id);


--
-- PostgreSQL database dump complete
--

\unrestrict 4ZXW3pFqwz6kvIXGx7qHn2sKcJTzs66safdi274dDYSbKuYfhJ2ONGwsbbfGd6P

